/**
 * Bytes in, bytes out: packets (BTH to invariant CRC) between endpoints, over UDP sockets, within a process or in virtual time.
 *
 * <p>Start at {@link org.verbena.link.Link}, the contract every link keeps; {@link org.verbena.link.Packet} is what goes through it. Real
 * networks: {@link org.verbena.link.UdpNetwork} picks {@code LinuxUdpLink} ({@code SendBatch} and {@code ReceiveBatch} are its two
 * directions) or {@code UdpLink}. One process: {@link org.verbena.link.InProcessNetwork}, whose heart is {@code PacketRing}. Virtual
 * time: {@link org.verbena.link.SimulatedNetwork}. Wrappers that take a link and are one: {@link org.verbena.link.LossyLink}, {@link
 * org.verbena.link.CapturedLink}.
 *
 * <p>Thread: one thread drives a link, the one that drives its engine; only {@code wakeup} and the counters belong to everybody.
 */
@NullMarked
package org.verbena.link;

import org.jspecify.annotations.NullMarked;
