package org.verbena.memory.registration;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.verbena.memory.ProtectionDomain;

/** Finds the extent of a new entry, and the entries that it replaces. Under the table's lock. */
final class Merge {
    private final PageTree tree;
    private final boolean rounds;
    private final List<BufferEntry> touching = new ArrayList<>();
    private final List<BufferEntry> absorbed = new ArrayList<>();

    /** {@code rounds} says whether entries are extended to whole pages. */
    Merge(PageTree tree, boolean rounds) {
        this.tree = tree;
        this.rounds = rounds;
    }

    /**
     * The pages of a buffer, and of all entries of its scope and domain that they touch and that the new entry can replace: those with the same rights, and those
     * with fewer that lie within it. An entry with more rights never grows over bytes that were named with fewer.
     *
     * @param onDead gets the entries that it meets whose scope has ended
     */
    MemorySegment plan(ProtectionDomain domain, MemorySegment buffer, int rights, Consumer<BufferEntry> onDead) {
        long start = rounds ? buffer.address() & -PageTree.PAGE : buffer.address();
        long end = buffer.address() + buffer.byteSize();
        end = rounds ? (end + PageTree.PAGE - 1) & -PageTree.PAGE : end;
        long from = start;
        long to = end;
        clear();
        tree.collect(start - 1, end, touching);
        for (int i = 0; i < touching.size(); i++) {
            BufferEntry entry = touching.get(i);
            entry.collected = false;
            if (!entry.isAlive()) {
                onDead.accept(entry);
            } else if (entry.isIn(domain) && entry.isOf(buffer.scope())) {
                boolean within = start <= entry.start && entry.end <= end;
                if (within ? (rights & entry.rights()) == entry.rights() : rounds && rights == entry.rights()) {
                    absorbed.add(entry);
                    from = Math.min(from, entry.start);
                    to = Math.max(to, entry.end);
                }
            }
        }
        touching.clear();
        return rounds ? Buffers.extend(buffer, from, to - from) : buffer;
    }

    /** The entries that the planned one replaces. */
    List<BufferEntry> absorbed() {
        return absorbed;
    }

    /** Forgets the plan. */
    void clear() {
        touching.clear();
        absorbed.clear();
    }
}
