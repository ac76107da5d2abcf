package org.verbena.memory.translation;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.Chore;
import org.verbena.memory.paging.Stage;

/**
 * Copies to and from pages that come and go. All pages of a copy are pinned before its first byte moves, so that an access
 * that meets a page fault has touched nothing.
 *
 * <p>Offsets and lengths are in bounds: they were judged before.
 */
public final class PagedAccess {
    private static final int SHIFT = Integer.numberOfTrailingZeros(Stage.PAGE);
    private static final int MASK = Stage.PAGE - 1;

    private final MemorySegment machine;
    private final Stage stage;
    private final long length;
    private final Chore chore;
    private final Chore choreBelow;

    /** Of a memory of this length, whose pages the stage translates to positions in the machine segment. */
    public PagedAccess(MemorySegment machine, Stage stage, long length) {
        this.machine = machine;
        this.stage = stage;
        this.length = length;
        this.chore = stage.driver().chore();
        Stage below = stage.below();
        this.choreBelow = below == null ? chore : below.driver().chore();
    }

    /** All frames of machine memory. */
    public MemorySegment machine() {
        return machine;
    }

    /** The stage that translates the pages. */
    public Stage stage() {
        return stage;
    }

    /** The page of an offset. */
    public static long page(long offset) {
        return offset >>> SHIFT;
    }

    static long startOf(long page) {
        return page << SHIFT;
    }

    /**
     * Does the work that copies have left to be done, such as freeing frames. Called after a copy, outside of the entry.
     */
    public void tidy() {
        if (chore.isNoted() || choreBelow.isNoted()) {
            for (@Nullable Stage at = stage; at != null; at = at.below()) {
                at.driver().tidy();
            }
        }
    }

    /** The access to a page by a message that writes {@code remaining} bytes from an offset on. */
    public Access accessOf(long page, long offset, long remaining) {
        long start = startOf(page);
        long end = Math.min(start + Stage.PAGE, length);
        return start >= offset && end <= offset + remaining ? Access.OVERWRITE : Access.WRITE;
    }

    /** Copies bytes in, of a message that has {@code remaining} bytes from the offset on. */
    public Verdict copyIn(long offset, MemorySegment source, long sourceOffset, int count, long remaining) {
        long first = page(offset);
        if (((offset & MASK) + count) <= Stage.PAGE) {
            long position = stage.pin(first, accessOf(first, offset, remaining));
            if (position < 0) {
                return refusal(position);
            }
            try {
                MemorySegment.copy(source, sourceOffset, machine, position + (offset & MASK), count);
            } finally {
                stage.unpin(first);
            }
            return Verdict.GRANTED;
        }
        if (isAcrossTwo(offset, count)) {
            return copyInAcross(offset, source, sourceOffset, count, remaining);
        }
        Verdict pinned = pinForWrite(offset, count, remaining, false);
        if (pinned != Verdict.GRANTED) {
            return pinned;
        }
        try {
            for (int done = 0; done < count; ) {
                long at = offset + done;
                int part = (int) Math.min(count - done, Stage.PAGE - (at & MASK));
                MemorySegment.copy(source, sourceOffset + done, machine, position(at), part);
                done += part;
            }
        } finally {
            unpin(first, page(offset + count - 1) + 1);
        }
        return Verdict.GRANTED;
    }

    /** Whether a range lies in two neighbouring pages at most, as the payload of every packet does. */
    private static boolean isAcrossTwo(long offset, int count) {
        return (offset & MASK) + count <= 2 * Stage.PAGE;
    }

    private Verdict copyInAcross(long offset, MemorySegment source, long sourceOffset, int count, long remaining) {
        long first = page(offset);
        long position = stage.pin(first, accessOf(first, offset, remaining));
        if (position < 0) {
            return refusal(position);
        }
        try {
            long next = stage.pin(first + 1, accessOf(first + 1, offset, remaining));
            if (next < 0) {
                return refusal(next);
            }
            int head = Stage.PAGE - (int) (offset & MASK);
            try {
                MemorySegment.copy(source, sourceOffset, machine, position + (offset & MASK), head);
                MemorySegment.copy(source, sourceOffset + head, machine, next, count - head);
            } finally {
                stage.unpin(first + 1);
            }
        } finally {
            stage.unpin(first);
        }
        return Verdict.GRANTED;
    }

    private Verdict copyOutAcross(long offset, MemorySegment target, long targetOffset, int count) {
        long first = page(offset);
        long position = stage.pin(first, Access.READ);
        if (position < 0) {
            return refusal(position);
        }
        try {
            long next = stage.pin(first + 1, Access.READ);
            if (next < 0) {
                return refusal(next);
            }
            int head = Stage.PAGE - (int) (offset & MASK);
            try {
                MemorySegment.copy(machine, position + (offset & MASK), target, targetOffset, head);
                MemorySegment.copy(machine, next, target, targetOffset + head, count - head);
            } finally {
                stage.unpin(first + 1);
            }
        } finally {
            stage.unpin(first);
        }
        return Verdict.GRANTED;
    }

    /** Copies bytes out. */
    public Verdict copyOut(long offset, MemorySegment target, long targetOffset, int count) {
        long first = page(offset);
        if (((offset & MASK) + count) <= Stage.PAGE) {
            long position = stage.pin(first, Access.READ);
            if (position < 0) {
                return refusal(position);
            }
            try {
                MemorySegment.copy(machine, position + (offset & MASK), target, targetOffset, count);
            } finally {
                stage.unpin(first);
            }
            return Verdict.GRANTED;
        }
        if (isAcrossTwo(offset, count)) {
            return copyOutAcross(offset, target, targetOffset, count);
        }
        Verdict pinned = pinForRead(offset, count);
        if (pinned != Verdict.GRANTED) {
            return pinned;
        }
        try {
            for (int done = 0; done < count; ) {
                long at = offset + done;
                int part = (int) Math.min(count - done, Stage.PAGE - (at & MASK));
                MemorySegment.copy(machine, position(at), target, targetOffset + done, part);
                done += part;
            }
        } finally {
            unpin(first, page(offset + count - 1) + 1);
        }
        return Verdict.GRANTED;
    }

    /**
     * Pins all pages of a range that will be written whole, or none if one of them is not resident. Not called inside a copy.
     */
    public Verdict hold(long offset, long count) {
        return pinForWrite(offset, count, count, true);
    }

    private Verdict pinForWrite(long offset, long count, long remaining, boolean tidies) {
        long first = page(offset);
        long last = page(offset + count - 1);
        for (long page = first; page <= last; page++) {
            long position = stage.pin(page, accessOf(page, offset, remaining));
            if (tidies) {
                tidy();
            }
            if (position < 0) {
                unpin(first, page);
                return refusal(position);
            }
        }
        return Verdict.GRANTED;
    }

    private Verdict pinForRead(long offset, long count) {
        long first = page(offset);
        long last = page(offset + count - 1);
        for (long page = first; page <= last; page++) {
            long position = stage.pin(page, Access.READ);
            if (position < 0) {
                unpin(first, page);
                return refusal(position);
            }
        }
        return Verdict.GRANTED;
    }

    /** Pins the page of an offset to change part of it. */
    Verdict pin(long offset) {
        long position = stage.pin(page(offset), Access.WRITE);
        return position < 0 ? refusal(position) : Verdict.GRANTED;
    }

    void unpin(long offset) {
        stage.unpin(page(offset));
    }

    /** Unpins the pages from {@code first} to {@code end - 1}. */
    public void unpin(long first, long end) {
        for (long page = first; page < end; page++) {
            stage.unpin(page);
        }
    }

    /** The position of a byte of a pinned page in the machine segment. */
    public long position(long offset) {
        return stage.position(page(offset)) + (offset & MASK);
    }

    private static Verdict refusal(long position) {
        return position == Stage.LOST ? Verdict.PAGE_LOST : Verdict.NOT_RESIDENT;
    }
}
