package org.verbena.memory.registration;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Registration;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.protection.StateWord;
import org.verbena.time.Durations;
import org.verbena.trace.RegistrationEvent;

/**
 * How entries of a table end: evicted, merged, stale, or closed with their scope. Under the table's lock.
 *
 * <p>An entry is deregistered by the step that sees that no operation is under way, and never before. An entry that has to go and is in use leaves the look-ups
 * and its pins at once; a sweep deregisters it later. Nothing here allocates, but for {@link #reserve}.
 */
final class Removal {
    /** Entries that a miss evicts at most. */
    private static final int EVICTED_PER_MISS = 16;

    private final String owner;
    private final RegistrationOptions options;
    private final PageTree tree;
    private final EntryList entries;
    private final Pins pins;
    private final long idleLimitNs;
    private final long ownerLimitNs;
    private final ArrayList<BufferEntry> sharing = new ArrayList<>();
    private long retiredUses;
    private long evictions;
    private long stale;

    /** For the entries that stand in this list and tree. */
    Removal(String owner, RegistrationOptions options, PageTree tree, EntryList entries, Pins pins) {
        this.owner = owner;
        this.options = options;
        this.tree = tree;
        this.entries = entries;
        this.pins = pins;
        this.idleLimitNs = Durations.toNanos(options.idleLimit());
        this.ownerLimitNs = Durations.toNanos(options.ownerLimit());
    }

    /** Uses of all entries that are gone. */
    long retiredUses() {
        return retiredUses;
    }

    long evictions() {
        return evictions;
    }

    /** Entries whose scope was found to have ended. */
    long stale() {
        return stale;
    }

    /** Makes room for what the removal of any entry needs. Called when the list has grown. */
    void reserve() {
        sharing.ensureCapacity(entries.size());
    }

    // --- budgets

    /** Evicts pinned entries until this number of bytes more can be pinned, or enough is done for one miss. */
    void makeRoomForPins(long more, BufferEntry spared, int tick) {
        for (int i = 0; i < EVICTED_PER_MISS && pins.isOverBudget(more); i++) {
            BufferEntry victim = entries.victim(spared, true, true, tick);
            if (victim == null || !evict(victim)) {
                return;
            }
        }
    }

    /** Evicts entries until the budgets are kept, or enough is done for one miss. */
    void shrink(BufferEntry spared, int tick) {
        for (int i = 0; i < EVICTED_PER_MISS; i++) {
            boolean bytesShort = entries.bytes() > options.bytesMax();
            if (!bytesShort && entries.size() <= options.entriesMax()) {
                return;
            }
            BufferEntry victim = entries.victim(spared, bytesShort, false, tick);
            if (victim == null || !evict(victim)) {
                return;
            }
        }
    }

    // --- sweep

    /** Looks at the next entries, and removes those that have to go. Returns the number of those that are deregistered. */
    int sweep(int count, long nowNs) {
        int removed = 0;
        for (int i = 0; i < count; i++) {
            BufferEntry entry = entries.nextSwept();
            if (entry == null) {
                break;
            }
            removed += sweepOne(entry, nowNs) ? 1 : 0;
        }
        return removed;
    }

    private boolean sweepOne(BufferEntry entry, long nowNs) {
        if (entry.status != Registration.Status.STALE && !entry.isAlive()) {
            return dropStale(entry);
        }
        return switch (entry.status) {
            case SUPERSEDED -> finishIfIdle(entry, "merged");
            case STALE -> finishIfIdle(entry, "stale");
            case CLOSING -> false;
            case READY -> entry.idleNs(nowNs) > (entry.isOwnerGone() ? ownerLimitNs : idleLimitNs) && evict(entry);
        };
    }

    // --- all of a kind

    /** Removes all entries that nothing uses; their number. */
    int clear() {
        int removed = 0;
        for (int place = entries.size() - 1; place >= 0; place--) {
            removed += clearOne(entries.at(place)) ? 1 : 0;
        }
        return removed;
    }

    /** Removes the entries of a domain that nothing uses. */
    void clear(ProtectionDomain domain) {
        for (int place = entries.size() - 1; place >= 0; place--) {
            BufferEntry entry = entries.at(place);
            if (entry.isIn(domain)) {
                boolean _ = clearOne(entry);
            }
        }
    }

    private boolean clearOne(BufferEntry entry) {
        return entry.status == Registration.Status.READY ? evict(entry) : finishIfIdle(entry, "evicted");
    }

    /** Removes all entries that nothing uses. Operations under way on the others are refused from now on. */
    void revoke() {
        for (int place = entries.size() - 1; place >= 0; place--) {
            BufferEntry entry = entries.at(place);
            if (!clearOne(entry)) {
                unlist(entry);
                entry.status = Registration.Status.STALE;
                entry.region.revoke();
            }
        }
    }

    /** Removes all entries, because the engine has ended: no operation will. */
    void removeAll() {
        for (int place = entries.size() - 1; place >= 0; place--) {
            BufferEntry entry = entries.at(place);
            unlist(entry);
            finish(entry, "closed");
        }
    }

    // --- a scope that is closed by its owner

    /**
     * Removes the entries of a scope that nothing uses. On the others no operation begins any more.
     *
     * @param onIdle run when an operation of one of them has ended
     * @return operations under way
     */
    int close(MemorySegment.Scope scope, Runnable onIdle) {
        int operations = 0;
        for (int place = entries.size() - 1; place >= 0; place--) {
            BufferEntry entry = entries.at(place);
            if (entry.isOf(scope) && !endQuietly(entry, onIdle)) {
                operations += entry.word().operations();
            }
        }
        return operations;
    }

    private boolean endQuietly(BufferEntry entry, Runnable onIdle) {
        if (entry.status != Registration.Status.CLOSING) {
            entry.status = Registration.Status.CLOSING;
            entry.region.currentIo().requestQuiesce(onIdle);
        }
        boolean ended = entry.region.currentIo().clearValid()
                || (!entry.word().isValid() && entry.word().operations() == 0);
        if (!ended) {
            return false;
        }
        unlist(entry);
        finish(entry, "closed");
        return true;
    }

    /** The scope stays open after all: operations may begin on its entries again. */
    void reopen(MemorySegment.Scope scope) {
        for (int place = entries.size() - 1; place >= 0; place--) {
            BufferEntry entry = entries.at(place);
            if (entry.status == Registration.Status.CLOSING && entry.isOf(scope)) {
                entry.status = entry.listed ? Registration.Status.READY : Registration.Status.SUPERSEDED;
                entry.region.currentIo().resumeQuietly();
            }
        }
    }

    // --- one entry

    private boolean evict(BufferEntry entry) {
        if (!entry.word().invalidateIdle()) {
            return false;
        }
        evictions++;
        unlist(entry);
        finish(entry, "evicted");
        return true;
    }

    /** A larger entry, or one with more rights, is in the tree: this one serves only operations that are under way. */
    void supersede(BufferEntry entry) {
        entry.status = Registration.Status.SUPERSEDED;
        unlist(entry);
        boolean _ = finishIfIdle(entry, "merged");
    }

    /** The scope of the entry has ended. Returns whether the entry is deregistered. */
    boolean dropStale(BufferEntry entry) {
        stale++;
        entry.status = Registration.Status.STALE;
        unlist(entry);
        return finishIfIdle(entry, "stale");
    }

    /** Takes an entry from the look-ups and unpins it. */
    private void unlist(BufferEntry entry) {
        if (entry.listed) {
            entry.listed = false;
            tree.remove(entry);
        }
        if (entry.pinned) {
            sharing.clear();
            tree.collect(entry.start, entry.end - 1, sharing);
            for (int i = 0; i < sharing.size(); i++) {
                sharing.get(i).collected = false;
            }
            pins.unpin(entry, sharing);
            sharing.clear();
        }
    }

    private boolean finishIfIdle(BufferEntry entry, String change) {
        StateWord word = entry.word();
        // Of a word that is not valid no operation begins, so that a count of zero stays.
        boolean idle = word.isValid() ? word.invalidateIdle() : word.operations() == 0;
        if (idle) {
            finish(entry, change);
        }
        return idle;
    }

    private void finish(BufferEntry entry, String change) {
        entries.remove(entry);
        retiredUses += entry.uses();
        entry.region.close();
        RegistrationEvent.record(owner, change, entry.start, entry.length());
    }
}
