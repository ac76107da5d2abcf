/**
 * Contracts of links: packets in, packets out, between addresses.
 *
 * <p>Start at {@link org.verbena.link.Link}, the contract of every link; {@link org.verbena.link.Packet} is the unit that a link carries.
 * Each kind of link has a package of its own: {@code link.udp} for the networks of the machine, {@code link.process} within one process,
 * {@code link.simulated} in virtual time, {@code link.wrap} for wrappers that lose or capture packets.
 *
 * <p>A link never waits. {@link org.verbena.link.Sleeper} is where its runner waits, and {@link org.verbena.link.WakeSource} what a link says
 * to it.
 *
 * <p>Thread: one thread drives a link, the thread that drives its engine. Counters and names are for any thread.
 */
@NullMarked
package org.verbena.link;

import org.jspecify.annotations.NullMarked;
