/**
 * Messages on top of verbs, for programs that do not want to count receives, register buffers or match completions.
 *
 * <p>Start at {@link org.verbena.message.MessageChannel}: messages of any length in both directions over a connected queue pair.
 * {@link org.verbena.message.RequestChannel} and {@link org.verbena.message.RequestServer} add requests and answers. Below them
 * are a {@link org.verbena.message.BufferPool} of registered buffers and a {@link org.verbena.message.Dispatcher} that gives
 * completions to handlers and futures; both are of use alone.
 *
 * <p>The way of a message in the code: {@code Sender} takes it, {@code Outbound} posts it when there is a credit, from a buffer of
 * {@code SendRing}, or announces it ({@code Announced}). At the peer {@code FrameIntake} judges the frame, {@code Inbound} keeps the message in
 * its {@code Slot}, {@code LargeReads} reads an announced one, {@code Receiver} hands it to the consumer. {@code ChannelCore} gets the
 * completions from the dispatcher and ends the channel; {@code ChannelState} has the lock of all of them.
 *
 * <p>Any thread may call all methods, unless a method says otherwise. The package uses the interface of consumers only: whatever
 * it does, a program can do with {@link org.verbena.verbs} itself.
 */
@NullMarked
package org.verbena.message;

import org.jspecify.annotations.NullMarked;
