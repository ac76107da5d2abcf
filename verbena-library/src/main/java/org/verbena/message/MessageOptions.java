package org.verbena.message;

import java.time.Duration;

/**
 * Sizes of a {@link MessageChannel}. The two ends tell each other theirs and need not have the same. Immutable; the {@code
 * with} methods give changed copies.
 *
 * @param bufferSize bytes of a message that travels in one buffer; a larger one goes by RDMA read. The smaller size of both ends
 *     counts
 * @param receives messages that the peer may send before this end has taken them
 * @param sends messages of this end that may be under way
 * @param largeMessages messages larger than a buffer that may be under way, in each direction
 * @param messageMax bytes of the largest message that this end takes; a peer can make this end hold {@code largeMessages} of them
 * @param closeLimit time that {@link MessageChannel#close} waits for messages that are under way, and that a sender waits for the
 *     peer's answer when it takes a large message back
 */
public record MessageOptions(
        int bufferSize, int receives, int sends, int largeMessages, long messageMax, Duration closeLimit) {
    /** Buffers of 8 KiB, 64 receives, 32 sends, 4 large messages, messages of 256 MiB at most, 5 s to close. */
    public static final MessageOptions DEFAULT = new MessageOptions(8192, 64, 32, 4, 256L << 20, Duration.ofSeconds(5));

    /** Receives beside those for messages of the peer: credits, a farewell. */
    private static final int CONTROL_RECEIVES = 4;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if one is out of range: buffers of 64 bytes … 1 GiB, 1 … 16384 receives, 4 … 16384
     *     sends, 1 … 256 large messages, messages of {@code bufferSize} … 2<sup>31</sup> − 1 bytes
     */
    public MessageOptions {
        require("bufferSize", bufferSize, 64, 1 << 30);
        require("receives", receives, 1, 1 << 14);
        require("sends", sends, 4, 1 << 14);
        require("largeMessages", largeMessages, 1, 256);
        require("messageMax", messageMax, bufferSize, Integer.MAX_VALUE);
        if (closeLimit.isNegative()) {
            throw new IllegalArgumentException("closeLimit must not be negative; found " + closeLimit);
        }
    }

    private static void require(String name, long found, long least, long most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(name + " must be " + least + " … " + most + "; found " + found);
        }
    }

    /** A copy with buffers of this size. */
    public MessageOptions withBufferSize(int bytes) {
        return new MessageOptions(bytes, receives, sends, largeMessages, messageMax, closeLimit);
    }

    /** A copy with these numbers of messages that the peer may send ahead, and of own messages under way. */
    public MessageOptions withDepth(int receivesAhead, int sendsUnderWay) {
        return new MessageOptions(bufferSize, receivesAhead, sendsUnderWay, largeMessages, messageMax, closeLimit);
    }

    /** A copy with this number of large messages under way. */
    public MessageOptions withLargeMessages(int count) {
        return new MessageOptions(bufferSize, receives, sends, count, messageMax, closeLimit);
    }

    /** A copy that takes messages of at most this length. */
    public MessageOptions withMessageMax(long bytes) {
        return new MessageOptions(bufferSize, receives, sends, largeMessages, bytes, closeLimit);
    }

    /** A copy whose close waits so long at most. */
    public MessageOptions withCloseLimit(Duration limit) {
        return new MessageOptions(bufferSize, receives, sends, largeMessages, messageMax, limit);
    }

    /** Requests that the queue pair's send queue must hold. */
    public int sendCapacity() {
        return sends + largeMessages;
    }

    /** Receives that the queue pair's receive queue must hold. */
    public int receiveCapacity() {
        // One receive for each answer to a large message of this end, and one for each that the peer withdraws.
        return receives + 2 * largeMessages + CONTROL_RECEIVES;
    }

    /** Completions that the completion queue must hold for one channel. */
    public int completionCapacity() {
        return sendCapacity() + receiveCapacity();
    }
}
