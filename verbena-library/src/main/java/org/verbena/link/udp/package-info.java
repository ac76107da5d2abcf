/**
 * Links over UDP sockets: RoCEv2 on the networks of the machine.
 *
 * <p>Start at {@link org.verbena.link.udp.UdpNetwork}, which opens a link with one of two drivers: {@code link.udp.linux} uses the system
 * calls of Linux, {@code link.udp.nio} the channels of the JDK.
 *
 * <p>Thread: any thread may open links.
 */
@NullMarked
package org.verbena.link.udp;

import org.jspecify.annotations.NullMarked;
