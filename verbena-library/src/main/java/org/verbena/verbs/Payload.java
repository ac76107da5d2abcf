package org.verbena.verbs;

import java.util.List;

/** The data of a send or a write. Immutable but for the array of inline data. */
public sealed interface Payload {
    /** No data: a message of length zero. */
    Payload NOTHING = new Gathered(List.of());

    /**
     * Data that is gathered from registered memory when it is sent, segment after segment. The memory belongs to the
     * adapter from the post until the completion.
     *
     * @param segments at most {@link QueuePairOptions#segmentsMax}; the list is copied
     */
    record Gathered(List<LocalSegment> segments) implements Payload {
        /** Copies the list. */
        public Gathered {
            segments = List.copyOf(segments);
        }
    }

    /**
     * Data that is copied at each post. Its memory needs no registration.
     *
     * @param bytes at most {@link QueuePairOptions#inlineMax}; the array is not copied before the post
     */
    @SuppressWarnings("ArrayRecordComponent") // copied at each post; a copy at creation would be a second one
    record Inline(byte[] bytes) implements Payload {}

    /** Data that is gathered from these segments, in this order. */
    static Payload of(LocalSegment... segments) {
        return new Gathered(List.of(segments));
    }

    /** Data that is copied from this array at each post. */
    static Payload inline(byte[] bytes) {
        return new Inline(bytes);
    }
}
