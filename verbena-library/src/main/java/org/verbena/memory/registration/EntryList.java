package org.verbena.memory.registration;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.Registration;

/** All entries of a table, in no order, and the hands that go round them. Under the table's lock. */
final class EntryList {
    /** Entries looked at for a victim. */
    private static final int SAMPLE = 16;

    private final List<BufferEntry> entries = new ArrayList<>();
    private int sweepHand;
    private int victimHand;
    private long bytes;

    int size() {
        return entries.size();
    }

    /** Bytes of all entries. */
    long bytes() {
        return bytes;
    }

    BufferEntry at(int place) {
        return entries.get(place);
    }

    void add(BufferEntry entry) {
        entry.place = entries.size();
        entries.add(entry);
        bytes += entry.length();
    }

    /** Removes an entry; the last one gets its place. */
    void remove(BufferEntry entry) {
        BufferEntry last = entries.removeLast();
        if (last != entry) {
            entries.set(entry.place, last);
            last.place = entry.place;
        }
        entry.place = BufferEntry.GONE;
        bytes -= entry.length();
    }

    /** The next entry to be swept; null if there is none. */
    @Nullable
    BufferEntry nextSwept() {
        if (entries.isEmpty()) {
            return null;
        }
        sweepHand = sweepHand >= entries.size() - 1 ? 0 : sweepHand + 1;
        return entries.get(sweepHand);
    }

    /**
     * An entry to be evicted: of a sample the one that was not used for longest; if bytes are short, long ones sooner. Null if the sample has none that is
     * free.
     *
     * @param spared never chosen
     */
    @Nullable
    BufferEntry victim(BufferEntry spared, boolean bytesShort, boolean pinnedOnly, int tick) {
        BufferEntry best = null;
        double bestScore = -1;
        for (int i = Math.min(SAMPLE, entries.size()); i > 0; i--) {
            victimHand = victimHand >= entries.size() - 1 ? 0 : victimHand + 1;
            BufferEntry entry = entries.get(victimHand);
            boolean free = entry.status == Registration.Status.READY
                    && entry.word().operations() == 0
                    && (entry.pinned || !pinnedOnly);
            double score = (entry.staleness(tick) + 1.0) * (bytesShort ? entry.length() : 1);
            if (entry != spared && free && score > bestScore) {
                best = entry;
                bestScore = score;
            }
        }
        return best;
    }
}
