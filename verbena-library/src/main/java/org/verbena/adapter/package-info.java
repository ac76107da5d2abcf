/**
 * The neutral engine: it gives turns to queue pairs with work and knows no packet. It does no I/O and reads no clock: a {@link
 * org.verbena.adapter.Runner} calls {@link org.verbena.adapter.Engine#work} with the time. Queue pairs reach their peers by {@link
 * org.verbena.adapter.Carrier}s; InfiniBand packets on a link are one kind, and others can stand beside it.
 *
 * <p>The rooms, from top to bottom: {@code ib.port}, the services of InfiniBand ({@code ib.reliable}, {@code ib.unreliable}, {@code
 * ib.datagram}, {@code ib.raw}, {@code ib.management}), {@code ib.message}, {@code ib}, {@code pair}, and this one. A room knows
 * those below it.
 *
 * <p>One thread at a time, that of the runner, calls everything here; consumers reach it through rings, the doorbell and commands. A queue pair
 * is a {@code pair.Pair}. It gets its {@code pair.Transport} when the peer is known: the first carrier that reaches the peer makes
 * it. Then a work request goes this way:
 *
 * <ol>
 *   <li>{@code verbs.QueuePair.post} writes a slot of the send ring ({@link org.verbena.queue.SendSlot})
 *   <li>and rings the {@link org.verbena.queue.Doorbell};
 *   <li>{@link org.verbena.adapter.Scheduler} gives the pair its turn, and the pair its transport;
 *   <li>{@code ib.reliable.Requester} cuts the request in packets,
 *   <li>gathers through {@link org.verbena.memory.protection.ProtectionTable},
 *   <li>{@code ib.Transmitter} writes the header and has the packet sealed ({@code ib.Seal}),
 *   <li>and gives it to the {@link org.verbena.link.Link}. At the other end
 *   <li>{@code ib.port.InfiniBandPort}, a carrier, takes it from the link, and {@code ib.Demultiplexer} finds the receiver,
 *   <li>{@code ib.reliable.Responder} judges, then acts,
 *   <li>places through the protection table,
 *   <li>and acknowledges. Back here
 *   <li>{@code ib.reliable.Completer} retires the request from the pair's {@code pair.SendQueue},
 *   <li>and {@link org.verbena.adapter.CompletionSink} writes the completion that the consumer polls.
 * </ol>
 *
 * <p>That is the way of a reliable connection. The other services share {@code ib.message}, and their requests are done when the last
 * packet is on the link.
 */
@NullMarked
package org.verbena.adapter;

import org.jspecify.annotations.NullMarked;
