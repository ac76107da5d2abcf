package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/** The data of a send or a write. Immutable but for the array of inline data. */
public sealed interface Payload {
    /** No data: a message of length zero. */
    Payload NOTHING = new Gathered(List.of());

    /**
     * Data that is gathered from the consumer's memory when it is sent, segment after segment. The memory belongs to the
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

    /**
     * Data that is copied at each post into a buffer of the adapter, and sent from there: memory on the heap or of a confined arena, which an adapter cannot use
     * where it is. The thread that posts must be able to read it. A post returns false while the 16 MiB of these buffers are in use.
     *
     * @param data at most 16 MiB
     */
    record Copied(MemorySegment data) implements Payload {}

    /** Data that is gathered from these segments, in this order. */
    static Payload of(LocalSegment... segments) {
        return new Gathered(List.of(segments));
    }

    /**
     * Data that is gathered from these native buffers, in this order; none of them needs a registration.
     *
     * @throws IllegalArgumentException as for {@link LocalSegment#of(MemorySegment)}
     * @throws IllegalStateException as for {@link LocalSegment#of(MemorySegment)}
     */
    static Payload of(MemorySegment first, MemorySegment... more) {
        return new Gathered(Stream.concat(Stream.of(first), Stream.of(more))
                .map(LocalSegment::of)
                .toList());
    }

    /**
     * Data that is gathered from a direct buffer, from its position to its limit.
     *
     * @throws IllegalArgumentException as for {@link LocalSegment#of(ByteBuffer)}
     */
    static Payload of(ByteBuffer buffer) {
        return of(LocalSegment.of(buffer));
    }

    /** Data that is copied at each post, from memory on the heap for instance: see {@link Copied}. */
    static Payload copied(MemorySegment data) {
        return new Copied(data);
    }

    /** Data that is copied at each post, of any length up to 16 MiB: see {@link Copied}. */
    static Payload copied(byte[] data) {
        return new Copied(MemorySegment.ofArray(data));
    }

    /** Data that is copied from this array at each post. */
    static Payload inline(byte[] bytes) {
        return new Inline(bytes);
    }
}
