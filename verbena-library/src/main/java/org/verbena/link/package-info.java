/**
 * Bytes in, bytes out: packets (BTH to invariant CRC) between endpoints, over UDP sockets, within a process or in virtual time.
 *
 * <p>Start at {@link org.verbena.link.Link}, the contract every link keeps; {@link org.verbena.link.Packet} is what goes through it.
 * Real networks: {@code UdpLinks} picks {@code LinuxUdpLink} or {@code UdpLink}. One process: {@code
 * InProcessNetwork}. Virtual time: {@code SimulatedNetwork}. Wrappers that take a link and are one:
 * {@code LossyLink}, {@code CapturedLink}.
 *
 * <p>Thread: one thread drives a link, the one that drives its engine; only {@code wakeup} and the counters belong to everybody.
 */
@NullMarked
package org.verbena.link;

import org.jspecify.annotations.NullMarked;
