package org.verbena.verbs;

import org.verbena.adapter.Limits;

/**
 * How much of everything an adapter can have. More is refused where it is asked for.
 *
 * @param queuePairs queue pairs
 * @param queueCapacity requests of a send or receive queue, and completions of a completion queue
 * @param segments segments of a gather or scatter list
 * @param inlineBytes inline data of a request
 * @param messageBytes a message
 * @param reads reads and atomics on the wire at once, of one queue pair, each way
 * @param regions regions and windows
 */
public record AdapterLimits(
        int queuePairs, int queueCapacity, int segments, int inlineBytes, long messageBytes, int reads, int regions) {
    /** Of an adapter that is opened with these options. */
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
