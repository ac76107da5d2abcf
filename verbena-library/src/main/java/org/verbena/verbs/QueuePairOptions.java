package org.verbena.verbs;

import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Limits;
import org.verbena.memory.ProtectionDomain;

/**
 * What a queue pair is made of. Immutable; the {@code with} methods give changed copies.
 *
 * @param domain whose memory it may touch
 * @param sendCompletions where completions of the send queue go
 * @param receiveCompletions where completions of receives go
 * @param sharedReceives where it takes receives from; null for a receive queue of its own
 * @param sendCapacity requests the send queue holds, rounded up to a power of two
 * @param receiveCapacity receives its own receive queue holds, rounded up to a power of two
 * @param segmentsMax segments of a gather or scatter list
 * @param inlineMax bytes of inline data
 */
public record QueuePairOptions(
        ProtectionDomain domain,
        CompletionQueue sendCompletions,
        CompletionQueue receiveCompletions,
        @Nullable SharedReceiveQueue sharedReceives,
        int sendCapacity,
        int receiveCapacity,
        int segmentsMax,
        int inlineMax) {
    public QueuePairOptions {
        require("sendCapacity", sendCapacity, 1, Limits.RING_CAPACITY_MAX);
        require("receiveCapacity", receiveCapacity, 1, Limits.RING_CAPACITY_MAX);
        require("segmentsMax", segmentsMax, 1, Limits.SEGMENTS_MAX);
        require("inlineMax", inlineMax, 0, Limits.INLINE_MAX);
    }

    /** One completion queue for both directions, 128 requests each way, 4 segments, 64 inline bytes. */
    public static QueuePairOptions of(ProtectionDomain domain, CompletionQueue completions) {
        return new QueuePairOptions(domain, completions, completions, null, 128, 128, 4, 64);
    }

    public QueuePairOptions withReceiveCompletions(CompletionQueue queue) {
        return new QueuePairOptions(
                domain, sendCompletions, queue, sharedReceives, sendCapacity, receiveCapacity, segmentsMax, inlineMax);
    }

    public QueuePairOptions withSharedReceives(SharedReceiveQueue queue) {
        return new QueuePairOptions(
                domain,
                sendCompletions,
                receiveCompletions,
                queue,
                sendCapacity,
                receiveCapacity,
                segmentsMax,
                inlineMax);
    }

    public QueuePairOptions withCapacity(int sends, int receives) {
        return new QueuePairOptions(
                domain, sendCompletions, receiveCompletions, sharedReceives, sends, receives, segmentsMax, inlineMax);
    }

    public QueuePairOptions withSegmentsMax(int segments) {
        return new QueuePairOptions(
                domain,
                sendCompletions,
                receiveCompletions,
                sharedReceives,
                sendCapacity,
                receiveCapacity,
                segments,
                inlineMax);
    }

    public QueuePairOptions withInlineMax(int bytes) {
        return new QueuePairOptions(
                domain,
                sendCompletions,
                receiveCompletions,
                sharedReceives,
                sendCapacity,
                receiveCapacity,
                segmentsMax,
                bytes);
    }

    static void require(String what, int found, int least, int most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(what + " must be " + least + " … " + most + "; found " + found);
        }
    }
}
