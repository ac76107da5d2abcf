/**
 * Parts that the two UDP drivers share.
 *
 * <p>Start at {@link org.verbena.link.udp.driver.SocketLink}: packets that are claimed, committed and abandoned. Not exported.
 *
 * <p>Thread: the thread that drives the link.
 */
@NullMarked
package org.verbena.link.udp.driver;

import org.jspecify.annotations.NullMarked;
