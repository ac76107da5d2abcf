/**
 * Parts that several kinds of link use: checks of arguments and addresses, and the wake-up flag.
 *
 * <p>Start at {@link org.verbena.link.support.Locals}, the rules for the endpoints of a link, and {@link
 * org.verbena.link.support.Misuse}, the exceptions for calls that break the contract of a link. Not exported.
 *
 * <p>Thread: {@link org.verbena.link.support.WakeFlag} is for any thread; the rest has no state.
 */
@NullMarked
package org.verbena.link.support;

import org.jspecify.annotations.NullMarked;
