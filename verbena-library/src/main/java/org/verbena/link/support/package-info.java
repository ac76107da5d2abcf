/**
 * Parts that several kinds of link use: checks of arguments and addresses, source ports.
 *
 * <p>Start at {@link org.verbena.link.support.Locals}, the rules for the endpoints of a link, and {@link
 * org.verbena.link.support.Misuse}, the exceptions for calls that break the contract of a link. Not exported.
 *
 * <p>Thread: no state.
 */
@NullMarked
package org.verbena.link.support;

import org.jspecify.annotations.NullMarked;
