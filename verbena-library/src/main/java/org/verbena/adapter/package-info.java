/**
 * The engine: queue pairs, whose turn it is, which packet is whose. It does no I/O of its own and reads no clock: {@link
 * org.verbena.adapter.Engine#work} is given the time and moves everything that can move.
 *
 * <p>One thread, whichever {@link org.verbena.adapter.Runner} lends, calls everything here; consumers reach it through
 * rings, the doorbell and commands. The way of a work request:
 *
 * <ol>
 *   <li>{@code verbs.QueuePair.post} writes a slot of the send ring ({@link org.verbena.queue.SendSlot})
 *   <li>and rings the {@link org.verbena.queue.Doorbell};
 *   <li>{@link org.verbena.adapter.Scheduler} gives the queue pair its turn;
 *   <li>{@link org.verbena.adapter.ib.reliable.Requester} cuts it in packets,
 *   <li>gathers through {@link org.verbena.memory.protection.ProtectionTable},
 *   <li>{@link org.verbena.adapter.ib.Transmitter} seals each packet ({@link org.verbena.wire.ib.Icrc})
 *   <li>and gives it to the {@link org.verbena.link.Link}. At the other end
 *   <li>{@link org.verbena.adapter.ib.Demultiplexer} finds the queue pair,
 *   <li>{@link org.verbena.adapter.ib.reliable.Responder} judges, then acts,
 *   <li>placing through the protection table,
 *   <li>and acknowledges. Back here
 *   <li>{@link org.verbena.adapter.ib.reliable.Completer} retires the request
 *   <li>and {@link org.verbena.adapter.CompletionSink} writes the completion that the consumer polls.
 * </ol>
 *
 * <p>That is the way of a reliable connection. The other services ({@code unreliable}, {@code datagram}, {@code raw}) are
 * put together from the same parts, {@link org.verbena.adapter.pair}, and end at the link: nothing comes back.
 */
@NullMarked
package org.verbena.adapter;

import org.jspecify.annotations.NullMarked;
