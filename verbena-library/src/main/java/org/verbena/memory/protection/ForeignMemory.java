package org.verbena.memory.protection;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.verbena.memory.translation.Backing;

/** Checks that a segment of the consumer can be registered: native, alive, accessible by every thread, not empty. */
public final class ForeignMemory {
    /**
     * A thread that owns no arena and is never started. A segment that it may access is accessible by every engine thread.
     */
    private static final Thread ANYONE = Thread.ofPlatform().name("anyone").unstarted(() -> {});

    private ForeignMemory() {}

    /** Whether every thread may access the segment. */
    public static boolean isShared(MemorySegment segment) {
        return segment.isAccessibleBy(ANYONE);
    }

    static BackingPart part(MemorySegment segment) {
        requireUsable(segment);
        return BackingPart.whole(Backing.ofForeign(segment));
    }

    /** All of several segments, one after the other. */
    static BackingPart part(List<MemorySegment> segments) {
        if (segments.isEmpty()) {
            throw new IllegalArgumentException("at least 1 segment to register expected; found 0");
        }
        segments.forEach(ForeignMemory::requireUsable);
        return BackingPart.whole(Backing.ofForeign(segments));
    }

    /** Refuses a segment that not every thread can access as long as its arena is open. */
    static void requireUsable(MemorySegment segment) {
        if (!segment.isNative()) {
            throw refusal(segment, "it is on the heap; allocate it from an arena");
        }
        if (!segment.scope().isAlive()) {
            throw refusal(segment, "its arena is closed");
        }
        if (!isShared(segment)) {
            throw refusal(segment, "its arena is confined to one thread; use a shared or automatic arena");
        }
        if (segment.byteSize() == 0) {
            throw refusal(segment, "it is empty");
        }
    }

    private static IllegalArgumentException refusal(MemorySegment segment, String found) {
        return new IllegalArgumentException("cannot register a segment of " + segment.byteSize() + " bytes: " + found);
    }
}
