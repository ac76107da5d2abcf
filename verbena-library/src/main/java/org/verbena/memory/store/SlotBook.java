package org.verbena.memory.store;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The set of slots that hold a page, and the checksum of each. It is kept in memory only: pages do not outlive the process, and a
 * medium that returns wrong bytes cannot change the checksums too.
 *
 * <p>Any thread, but only one at a time for one slot.
 */
final class SlotBook {
    private static final int LEAF_BITS = 15;
    private static final int LEAF = 1 << LEAF_BITS;

    /** The entries of neighbouring slots; made when the first of them is written. */
    private static final class Leaf {
        private final int[] checksums = new int[LEAF];
        private final AtomicLongArray held = new AtomicLongArray(LEAF / Long.SIZE);
    }

    private final AtomicReferenceArray<@Nullable Leaf> leaves =
            new AtomicReferenceArray<>((int) (SlotRanges.SLOTS_MAX >>> LEAF_BITS));
    private final AtomicLong used = new AtomicLong();

    static int checksum(CRC32C crc, MemorySegment page) {
        crc.reset();
        crc.update(page.asByteBuffer());
        return (int) crc.getValue();
    }

    /** Number of slots that hold a page. */
    long used() {
        return used.get();
    }

    boolean holds(long slot) {
        Leaf leaf = leaves.get((int) (slot >>> LEAF_BITS));
        return leaf != null && (leaf.held.get(word(slot)) & bit(slot)) != 0;
    }

    /** Marks a slot as held, before it is written; false if as many slots as {@code room} hold a page already and this one does not. */
    boolean claim(long slot, long room) {
        if (holds(slot)) {
            return true;
        }
        long before;
        do {
            before = used.get();
            if (before >= room) {
                return false;
            }
        } while (!used.compareAndSet(before, before + 1));
        leaf(slot).held.getAndUpdate(word(slot), bits -> bits | bit(slot));
        return true;
    }

    /** Sets the checksum of a slot that was claimed and has been written. */
    void onWritten(long slot, int checksum) {
        leaf(slot).checksums[(int) slot & (LEAF - 1)] = checksum;
    }

    /** Whether the slot holds a page with this checksum. */
    boolean matches(long slot, int checksum) {
        return holds(slot) && leaf(slot).checksums[(int) slot & (LEAF - 1)] == checksum;
    }

    /** Marks a slot as empty; true if it held a page. */
    boolean forget(long slot) {
        if (!holds(slot)) {
            return false;
        }
        leaf(slot).held.getAndUpdate(word(slot), bits -> bits & ~bit(slot));
        used.getAndDecrement();
        return true;
    }

    /** Marks neighbouring slots as empty; true if one of them held a page. */
    boolean forget(long first, long slots) {
        long end = first + slots;
        long forgotten = 0;
        long slot = first;
        while (slot < end) {
            Leaf leaf = leaves.get((int) (slot >>> LEAF_BITS));
            if (leaf == null) {
                slot = ((slot >>> LEAF_BITS) + 1) << LEAF_BITS;
                continue;
            }
            long next = Math.min(end, (slot | (Long.SIZE - 1)) + 1);
            // Shift distances count modulo 64, so the mask of a whole word has all bits.
            long mask = (-1L >>> (Long.SIZE - (next - slot))) << slot;
            long held = leaf.held.getAndUpdate(word(slot), bits -> bits & ~mask);
            forgotten += Long.bitCount(held & mask);
            slot = next;
        }
        used.getAndAdd(-forgotten);
        return forgotten > 0;
    }

    private Leaf leaf(long slot) {
        int index = (int) (slot >>> LEAF_BITS);
        Leaf leaf = leaves.get(index);
        if (leaf != null) {
            return leaf;
        }
        Leaf made = new Leaf();
        Leaf other = leaves.compareAndExchange(index, null, made);
        return other == null ? made : other;
    }

    private static int word(long slot) {
        return ((int) slot & (LEAF - 1)) >>> 6;
    }

    private static long bit(long slot) {
        return 1L << slot;
    }
}
