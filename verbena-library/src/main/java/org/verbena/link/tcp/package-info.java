/**
 * Byte streams over TCP: iWARP on the networks of the machine.
 *
 * <p>Start at {@link org.verbena.link.tcp.TcpNetwork}, which has the streams and finds the events. Its sockets come from a driver: {@code
 * link.tcp.nio} uses the channels of the JDK.
 *
 * <p>Thread: any thread may open a network; the thread that drives it calls everything else.
 */
@NullMarked
package org.verbena.link.tcp;

import org.jspecify.annotations.NullMarked;
