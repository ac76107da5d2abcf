/**
 * Parts that several kinds of link use: checks of arguments and addresses, interfaces, source ports, the base of links in memory.
 *
 * <p>Start at {@link org.verbena.link.support.Locals}, the rules for the endpoints of a link, and {@link
 * org.verbena.link.support.Misuse}, the exceptions for calls that break the contract of a link. Not exported.
 *
 * <p>Thread: any thread for the static methods, which have no state; {@code MemoryLink} as every link.
 */
@NullMarked
package org.verbena.link.support;

import org.jspecify.annotations.NullMarked;
