package org.verbena.verbs;

import java.util.List;

/** What a send or a write carries. */
public sealed interface Payload {
    /** Nothing: a message of length zero. */
    Payload NOTHING = new Gathered(List.of());

    /**
     * Gathered from registered memory when it is sent, segment after segment.
     *
     * @param segments at most as many as the queue pair was created for
     */
    record Gathered(List<LocalSegment> segments) implements Payload {
        public Gathered {
            segments = List.copyOf(segments);
        }
    }

    /**
     * Copied when it is posted, from memory that need not be registered.
     *
     * @param bytes at most as many as the queue pair was created for; not copied before the post
     */
    @SuppressWarnings("ArrayRecordComponent") // copied at each post; a copy at creation would be a second one
    record Inline(byte[] bytes) implements Payload {}

    static Payload of(LocalSegment... segments) {
        return new Gathered(List.of(segments));
    }

    static Payload inline(byte[] bytes) {
        return new Inline(bytes);
    }
}
