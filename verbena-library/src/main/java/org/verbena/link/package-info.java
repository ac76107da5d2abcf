/**
 * Contracts of links: packets in, packets out, between addresses.
 *
 * <p>Start at {@link org.verbena.link.Link}, the contract of every link; {@link org.verbena.link.Packet} is the unit that a link carries.
 * Each kind of link has a package of its own: {@code link.udp} for the networks of the machine, {@code link.process} within one process,
 * {@code link.simulated} in virtual time, {@code link.wrap} for wrappers that lose or capture packets. {@code link.stream} is the contract of
 * byte streams, {@code link.tcp} has those over TCP.
 *
 * <p>A link never waits. Its runner waits, in a {@link org.verbena.link.Sleeper}; {@link org.verbena.link.WakeSource} is the part of
 * a link that the sleeper uses.
 *
 * <p>Thread: one thread drives a link, the thread that drives its engine. Counters and names are for any thread.
 */
@NullMarked
package org.verbena.link;

import org.jspecify.annotations.NullMarked;
