package org.verbena.verbs;

import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Limits;
import org.verbena.memory.ProtectionDomain;

/**
 * What a queue pair is made of. Immutable; the {@code with} methods give changed copies.
 *
 * @param service what it promises; a reliable connection unless said otherwise
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
        Service service,
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

    /** A reliable connection with one completion queue for both directions, 128 requests each way, 4 segments, 64 inline bytes. */
    public static QueuePairOptions of(ProtectionDomain domain, CompletionQueue completions) {
        return new QueuePairOptions(Service.RC, domain, completions, completions, null, 128, 128, 4, 64);
    }

    public QueuePairOptions withService(Service other) {
        Draft draft = new Draft(this);
        draft.service = other;
        return draft.finish();
    }

    public QueuePairOptions withReceiveCompletions(CompletionQueue queue) {
        Draft draft = new Draft(this);
        draft.receiveCompletions = queue;
        return draft.finish();
    }

    public QueuePairOptions withSharedReceives(SharedReceiveQueue queue) {
        Draft draft = new Draft(this);
        draft.sharedReceives = queue;
        return draft.finish();
    }

    public QueuePairOptions withCapacity(int sends, int receives) {
        Draft draft = new Draft(this);
        draft.sendCapacity = sends;
        draft.receiveCapacity = receives;
        return draft.finish();
    }

    public QueuePairOptions withSegmentsMax(int segments) {
        Draft draft = new Draft(this);
        draft.segmentsMax = segments;
        return draft.finish();
    }

    public QueuePairOptions withInlineMax(int bytes) {
        Draft draft = new Draft(this);
        draft.inlineMax = bytes;
        return draft.finish();
    }

    static void require(String what, int found, int least, int most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(what + " must be " + least + " … " + most + "; found " + found);
        }
    }

    /** A copy being changed. */
    private static final class Draft {
        private Service service;
        private ProtectionDomain domain;
        private CompletionQueue sendCompletions;
        private CompletionQueue receiveCompletions;
        private @Nullable SharedReceiveQueue sharedReceives;
        private int sendCapacity;
        private int receiveCapacity;
        private int segmentsMax;
        private int inlineMax;

        private Draft(QueuePairOptions from) {
            service = from.service;
            domain = from.domain;
            sendCompletions = from.sendCompletions;
            receiveCompletions = from.receiveCompletions;
            sharedReceives = from.sharedReceives;
            sendCapacity = from.sendCapacity;
            receiveCapacity = from.receiveCapacity;
            segmentsMax = from.segmentsMax;
            inlineMax = from.inlineMax;
        }

        private QueuePairOptions finish() {
            return new QueuePairOptions(
                    service,
                    domain,
                    sendCompletions,
                    receiveCompletions,
                    sharedReceives,
                    sendCapacity,
                    receiveCapacity,
                    segmentsMax,
                    inlineMax);
        }
    }
}
