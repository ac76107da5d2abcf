/**
 * The UDP driver for every system, by the channels of the JDK: one packet per call.
 *
 * <p>Start at {@link org.verbena.link.udp.nio.UdpLink}. Not exported.
 *
 * <p>Thread: the thread that drives the link.
 */
@NullMarked
package org.verbena.link.udp.nio;

import org.jspecify.annotations.NullMarked;
