package org.verbena.memory.translation;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.PageSize;

/**
 * Segments of the consumer that follow each other in a region and lie anywhere in memory. They are cut into pages of one size: the first may begin and the last
 * may end within a page, all other ends are ends of pages. So a table of pages translates, and no 8 bytes that are aligned lie in two segments.
 */
final class Scattering {
    private final MemorySegment[] segments;
    /** Offset of each segment in the region. */
    private final long[] starts;
    /** Each scope once. */
    private final MemorySegment.Scope[] scopes;

    private final PageSize pageSize;
    private final long length;
    private final boolean readOnly;
    private final boolean mapped;

    /**
     * Of two segments or more, of which none is empty.
     *
     * @throws IllegalArgumentException if an end that has to be the end of a page is not
     */
    Scattering(List<MemorySegment> list) {
        segments = list.toArray(MemorySegment[]::new);
        starts = new long[segments.length];
        Set<MemorySegment.Scope> each = new LinkedHashSet<>();
        long end = 0;
        for (int i = 0; i < segments.length; i++) {
            starts[i] = end;
            end += segments[i].byteSize();
            if (end < 0) {
                throw new IllegalArgumentException(
                        "2^63 bytes or more found in " + (i + 1) + " segments, fewer expected");
            }
            each.add(segments[i].scope());
        }
        length = end;
        scopes = each.toArray(MemorySegment.Scope[]::new);
        pageSize = pageSize();
        readOnly = list.stream().anyMatch(MemorySegment::isReadOnly);
        mapped = list.stream().anyMatch(MemorySegment::isMapped);
    }

    /** The page size with the fewest pages, the smallest of several. */
    private PageSize pageSize() {
        long first = segments[0].address();
        PageSize best = null;
        for (PageSize size : PageSize.values()) {
            String wrong = misfit(size);
            if (wrong != null) {
                if (best == null) {
                    throw new IllegalArgumentException(wrong);
                }
                return best; // sizes ascend, and each is a multiple of those before
            }
            if (best == null || size.pages(first, length) < best.pages(first, length)) {
                best = size;
            }
        }
        assert best != null : "there is a page size";
        return best;
    }

    /** The first end that is not the end of a page of this size; null if there is none. */
    private @Nullable String misfit(PageSize size) {
        for (int i = 0; i < segments.length; i++) {
            MemorySegment segment = segments[i];
            if (i > 0 && size.offsetOf(segment.address()) != 0) {
                return misfit(i, "begins", segment.address(), "first");
            }
            long end = segment.address() + segment.byteSize();
            if (i < segments.length - 1 && size.offsetOf(end) != 0) {
                return misfit(i, "ends", end, "last");
            }
        }
        return null;
    }

    private String misfit(int index, String does, long at, String allowed) {
        return "segment " + (index + 1) + " of " + segments.length + " found that " + does + " at 0x"
                + Long.toHexString(at) + ", a multiple of " + PageSize.KIB_4.bytes() + " expected: only the " + allowed
                + " may do so within a page";
    }

    /** The table of its pages. */
    TranslationTable table() {
        long firstOffset = pageSize.offsetOf(segments[0].address());
        return new TranslationTable(
                new TranslationTable.Placement(pageSize, firstOffset, length),
                page -> page == 0
                        ? segments[0].address() - firstOffset
                        : address((page << pageSize.shift()) - firstOffset));
    }

    private long address(long offset) {
        int index = indexOf(offset);
        return segments[index].address() + (offset - starts[index]);
    }

    /** The segment that has the byte at an offset of the region. The offset is in bounds: it was judged before. */
    MemorySegment segmentAt(long offset) {
        return segments[indexOf(offset)];
    }

    private int indexOf(long offset) {
        int found = Arrays.binarySearch(starts, offset);
        return found >= 0 ? found : -found - 2;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    /** Whether one of them is a mapped file. */
    boolean isMapped() {
        return mapped;
    }

    /** Whether all of them are open. */
    boolean isAlive() {
        for (MemorySegment.Scope scope : scopes) {
            if (!scope.isAlive()) {
                return false;
            }
        }
        return true;
    }

    /** @throws IllegalStateException if one of them is closed */
    void requireAlive() {
        if (!isAlive()) {
            throw new IllegalStateException("one of " + segments.length + " segments is closed");
        }
    }
}
