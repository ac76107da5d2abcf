/**
 * Sockets of TCP by the channels of the JDK, for every system.
 *
 * <p>Start at {@link org.verbena.link.tcp.nio.NioSockets}. Not exported.
 *
 * <p>Thread: the thread that drives the network.
 */
@NullMarked
package org.verbena.link.tcp.nio;

import org.jspecify.annotations.NullMarked;
