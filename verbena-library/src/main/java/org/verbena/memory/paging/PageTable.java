package org.verbena.memory.paging;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The page words of one stage, in leaves of {@value #FAN_OUT} words. A leaf whose pages were never touched takes no memory. Any
 * thread.
 */
@SuppressWarnings("ReferenceEquality") // two shared leaves stand for all untouched and all closed ones
public final class PageTable {
    static final int FAN_OUT = 512;

    private static final int FAN_SHIFT = 9;
    private static final int FAN_MASK = FAN_OUT - 1;
    private static final long[] UNTOUCHED = new long[FAN_OUT];
    private static final long[] CLOSED = closedLeaf();
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle LEAF = MethodHandles.arrayElementVarHandle(long[][].class);

    private final long pages;
    private final long[][] leaves;

    /** A table of pages that were never touched. */
    public PageTable(long pages) {
        if (pages < 1 || pages > (long) Integer.MAX_VALUE << FAN_SHIFT) {
            throw new IllegalArgumentException(
                    "a table has from 1 to " + ((long) Integer.MAX_VALUE << FAN_SHIFT) + " pages; found " + pages);
        }
        this.pages = pages;
        this.leaves = new long[(int) ((pages + FAN_MASK) >>> FAN_SHIFT)][];
        Arrays.fill(leaves, UNTOUCHED);
    }

    public long pages() {
        return pages;
    }

    /** The word of a page; see {@link PageWord}. */
    public long word(long page) {
        return (long) WORD.getAcquire(leaf(page), (int) page & FAN_MASK);
    }

    /** Changes the word of a page; false if it is not the expected one any more. */
    boolean change(long page, long word, long next) {
        return WORD.compareAndSet(ownLeaf(page), (int) page & FAN_MASK, word, next);
    }

    /** Removes one pin of a page; true if it was the last. What the caller reads afterwards is no older than that. */
    boolean unpin(long page) {
        long before = (long) WORD.getAndAdd(leaf(page), (int) page & FAN_MASK, -PageWord.PIN);
        return (before & PageWord.PINS) == PageWord.PIN;
    }

    private static long[] closedLeaf() {
        long[] leaf = new long[FAN_OUT];
        Arrays.fill(leaf, PageWord.gone(0, PageWord.State.CLOSED));
        return leaf;
    }

    /** Closes all pages of a page's leaf if none of them was ever touched; false if one was. */
    boolean closeUntouched(long page) {
        int index = (int) (page >>> FAN_SHIFT);
        long[] leaf = (long[]) LEAF.getAcquire(leaves, index);
        return leaf == CLOSED || (leaf == UNTOUCHED && LEAF.compareAndSet(leaves, index, UNTOUCHED, CLOSED));
    }

    /** Whether a page of this page's leaf was ever touched. */
    boolean isLeafTouched(long page) {
        long[] leaf = leaf(page);
        return leaf != UNTOUCHED && leaf != CLOSED;
    }

    /** Bytes the table takes, roughly. */
    public long bytes() {
        long bytes = 4L * leaves.length;
        for (long page = 0; page < pages; page += FAN_OUT) {
            bytes += isLeafTouched(page) ? 16 + 8L * FAN_OUT : 0;
        }
        return bytes;
    }

    private long[] leaf(long page) {
        return (long[]) LEAF.getAcquire(leaves, (int) (page >>> FAN_SHIFT));
    }

    private long[] ownLeaf(long page) {
        long[] leaf = leaf(page);
        if (leaf != UNTOUCHED) {
            return leaf;
        }
        long[] fresh = new long[FAN_OUT];
        long[] other = (long[]) LEAF.compareAndExchange(leaves, (int) (page >>> FAN_SHIFT), UNTOUCHED, fresh);
        return other == UNTOUCHED ? fresh : other;
    }
}
