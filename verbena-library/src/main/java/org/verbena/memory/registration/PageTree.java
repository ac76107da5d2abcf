package org.verbena.memory.registration;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.ProtectionDomain;

/**
 * Entries by the addresses that they cover: a radix tree with five levels of slots of 32 GiB, 64 MiB, 2 MiB, 64 KiB and 4 KiB. An entry stands in the
 * largest slots that it covers as a whole, so that adding one of any size writes few slots. At the last level it stands in each slot that it touches.
 *
 * <p>Look-ups take no lock and allocate nothing, on any thread. One thread at a time makes changes. A look-up during a change finds an entry
 * or does not; the caller asks the entry whether it is valid.
 */
final class PageTree {
    /** Addresses are below this. */
    static final long ADDRESS_LIMIT = 1L << 48;
    /** Bytes of the smallest slot. */
    static final long PAGE = 1L << 12;

    private static final int[] SHIFTS = {35, 26, 21, 16, 12};
    private static final int[] BITS = {13, 9, 5, 5, 4};
    private static final int LAST = SHIFTS.length - 1;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private final Node root = new Node(1 << BITS[0], null);
    /** Nodes but the root. */
    private int nodes;

    /** Slots of one size. A slot is null, an entry, several entries, or a node of smaller slots. */
    private static final class Node {
        final @Nullable Object[] slots;
        /** Entries that cover all of this node: null, an entry or several. */
        volatile @Nullable Object whole;
        /** Slots that are not null. Not used by look-ups. */
        int used;

        Node(int slots, @Nullable Object whole) {
            this.slots = new Object[slots];
            this.whole = whole;
        }
    }

    // --- look-up

    /**
     * An entry of the scope and domain that covers the range and has all the rights; null if there is none.
     *
     * @param length at least 1; the range ends below {@link #ADDRESS_LIMIT}
     */
    @Nullable
    BufferEntry find(MemorySegment.Scope scope, ProtectionDomain domain, long address, long length, int rights) {
        // Five steps without a loop: the compiler knows each shift.
        Object there = slot(root, address, 35);
        if (there instanceof Node second) {
            there = slot(second, address, 26);
            BufferEntry found = whole(second, scope, domain, address, length, rights);
            if (found != null) {
                return found;
            }
            if (there instanceof Node third) {
                there = slot(third, address, 21);
                found = whole(third, scope, domain, address, length, rights);
                if (found != null) {
                    return found;
                }
                if (there instanceof Node fourth) {
                    there = slot(fourth, address, 16);
                    found = whole(fourth, scope, domain, address, length, rights);
                    if (found != null) {
                        return found;
                    }
                    if (there instanceof Node fifth) {
                        there = slot(fifth, address, 12);
                        found = whole(fifth, scope, domain, address, length, rights);
                        if (found != null) {
                            return found;
                        }
                    }
                }
            }
        }
        return match(there, scope, domain, address, length, rights);
    }

    private static @Nullable Object slot(Node node, long address, int shift) {
        @Nullable Object[] slots = node.slots;
        return SLOT.getAcquire(slots, (int) (address >>> shift) & (slots.length - 1));
    }

    private static @Nullable BufferEntry whole(
            Node node, MemorySegment.Scope scope, ProtectionDomain domain, long address, long length, int rights) {
        Object whole = node.whole;
        return whole == null ? null : match(whole, scope, domain, address, length, rights);
    }

    private static @Nullable BufferEntry match(
            @Nullable Object there,
            MemorySegment.Scope scope,
            ProtectionDomain domain,
            long address,
            long length,
            int rights) {
        if (there instanceof BufferEntry one) {
            return one.serves(scope, domain, address, length, rights) ? one : null;
        }
        return there == null ? null : matchSeveral((BufferEntry[]) there, scope, domain, address, length, rights);
    }

    private static @Nullable BufferEntry matchSeveral(
            @Nullable BufferEntry[] several,
            MemorySegment.Scope scope,
            ProtectionDomain domain,
            long address,
            long length,
            int rights) {
        for (int i = 0; i < several.length; i++) {
            BufferEntry one = (BufferEntry) SLOT.getAcquire(several, i);
            if (one != null && one.serves(scope, domain, address, length, rights)) {
                return one;
            }
        }
        return null;
    }

    // --- changes

    /** Adds an entry to the slots of its range. */
    void add(BufferEntry entry) {
        add(root, 0, entry.start, entry.end - 1, entry);
    }

    private void add(Node node, int level, long first, long last, BufferEntry entry) {
        int shift = SHIFTS[level];
        for (long at = first; at <= last; ) {
            int slot = (int) (at >>> shift) & (node.slots.length - 1);
            long slotLast = at | ((1L << shift) - 1);
            boolean covered = at == (at >>> shift) << shift && slotLast <= last;
            if (covered || level == LAST) {
                put(node, slot, entry);
            } else {
                add(child(node, level, slot), level + 1, at, Math.min(last, slotLast), entry);
            }
            at = slotLast + 1;
        }
    }

    private static void put(Node node, int slot, BufferEntry entry) {
        Object there = node.slots[slot];
        if (there instanceof Node below) {
            below.whole = plus(below.whole, entry);
        } else {
            SLOT.setRelease(node.slots, slot, plus(there, entry));
            node.used += there == null ? 1 : 0;
        }
    }

    private Node child(Node node, int level, int slot) {
        Object there = node.slots[slot];
        if (there instanceof Node below) {
            return below;
        }
        Node made = new Node(1 << BITS[level + 1], there);
        nodes++;
        SLOT.setRelease(node.slots, slot, made);
        node.used += there == null ? 1 : 0;
        return made;
    }

    private static Object plus(@Nullable Object there, BufferEntry entry) {
        if (there == null) {
            return entry;
        }
        if (there instanceof BufferEntry one) {
            return new BufferEntry[] {one, entry};
        }
        BufferEntry[] several = (BufferEntry[]) there;
        for (int i = 0; i < several.length; i++) {
            if (several[i] == null) {
                SLOT.setRelease(several, i, entry);
                return several;
            }
        }
        BufferEntry[] more = Arrays.copyOf(several, 2 * several.length);
        more[several.length] = entry;
        return more;
    }

    /** Removes an entry from the slots of its range. Allocates nothing. */
    void remove(BufferEntry entry) {
        remove(root, 0, entry.start, entry.end - 1, entry);
    }

    private void remove(Node node, int level, long first, long last, BufferEntry entry) {
        int shift = SHIFTS[level];
        for (long at = first; at <= last; ) {
            int slot = (int) (at >>> shift) & (node.slots.length - 1);
            long slotLast = at | ((1L << shift) - 1);
            boolean covered = at == (at >>> shift) << shift && slotLast <= last;
            Object there = node.slots[slot];
            if (there instanceof Node below) {
                if (covered) {
                    below.whole = minus(below.whole, entry);
                } else {
                    remove(below, level + 1, at, Math.min(last, slotLast), entry);
                }
                if (below.used == 0) {
                    nodes--;
                    clear(node, slot, below.whole);
                }
            } else if (there != null) {
                clear(node, slot, minus(there, entry));
            }
            at = slotLast + 1;
        }
    }

    private static void clear(Node node, int slot, @Nullable Object left) {
        SLOT.setRelease(node.slots, slot, left);
        node.used -= left == null ? 1 : 0;
    }

    /** The rest; null if nothing is left. */
    @SuppressWarnings("ReferenceEquality") // identity, not equality
    private static @Nullable Object minus(@Nullable Object there, BufferEntry entry) {
        if (there == null || there == entry) {
            return null;
        }
        if (!(there instanceof BufferEntry[] several)) {
            return there;
        }
        boolean any = false;
        for (int i = 0; i < several.length; i++) {
            if (several[i] == entry) {
                SLOT.setRelease(several, i, null);
            }
            any |= several[i] != null;
        }
        return any ? several : null;
    }

    // --- neighbours

    /**
     * Adds to a list the entries that touch a range, each once: it sets their {@code collected}, and the caller clears it. The thread that makes
     * the changes calls it.
     *
     * @param first address of the first byte of the range
     * @param last address of the last byte
     */
    void collect(long first, long last, List<BufferEntry> into) {
        collect(root, 0, Math.max(0, first), Math.min(ADDRESS_LIMIT - 1, last), into);
    }

    private static void collect(Node node, int level, long first, long last, List<BufferEntry> into) {
        int shift = SHIFTS[level];
        for (long at = first; at <= last; ) {
            int slot = (int) (at >>> shift) & (node.slots.length - 1);
            long slotLast = at | ((1L << shift) - 1);
            Object there = node.slots[slot];
            if (there instanceof Node below) {
                take(below.whole, into);
                collect(below, level + 1, at, Math.min(last, slotLast), into);
            } else {
                take(there, into);
            }
            at = slotLast + 1;
        }
    }

    private static void take(@Nullable Object there, List<BufferEntry> into) {
        if (there instanceof BufferEntry one) {
            takeOne(one, into);
        } else if (there instanceof BufferEntry[] several) {
            for (BufferEntry one : several) {
                if (one != null) {
                    takeOne(one, into);
                }
            }
        }
    }

    private static void takeOne(BufferEntry one, List<BufferEntry> into) {
        if (!one.collected) {
            one.collected = true;
            into.add(one);
        }
    }

    /** Nodes beside the root. */
    int nodes() {
        return nodes;
    }
}
