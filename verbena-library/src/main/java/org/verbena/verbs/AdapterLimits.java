package org.verbena.verbs;

import org.verbena.adapter.Limits;

/**
 * Limits of an adapter. The call that would exceed one is refused.
 *
 * @param queuePairs queue pairs of the adapter
 * @param queueCapacity requests of a send or receive queue, and completions of a completion queue
 * @param segments segments of a gather or scatter list
 * @param inlineBytes bytes of inline data of a request
 * @param messageBytes bytes of a message
 * @param reads reads and atomics of one queue pair on the wire at once, each way
 * @param regions regions and windows of the adapter, together
 */
public record AdapterLimits(
        int queuePairs, int queueCapacity, int segments, int inlineBytes, long messageBytes, int reads, int regions) {
    /** Limits of an adapter that is opened with these options. */
    public static AdapterLimits of(AdapterOptions options) {
        return new AdapterLimits(
                Limits.QUEUE_PAIRS_MAX - Limits.QUEUE_PAIRS_RESERVED,
                Limits.RING_CAPACITY_MAX,
                Limits.SEGMENTS_MAX,
                Limits.INLINE_MAX,
                Limits.MESSAGE_MAX,
                Limits.INBOUND_READS_MAX,
                options.regionsMax());
    }
}
