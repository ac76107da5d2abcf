package org.verbena.memory.protection;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.Touches;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.EntryType;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;
import org.verbena.memory.translation.Backing;

/** Puts regions and windows into a table and takes them out: keys, entries, and the holds on domain and memory. Any thread. */
final class Registrar {
    private final ReentrantLock lock = new ReentrantLock();
    private final EntrySlots slots;
    private final KeySource keys;

    Registrar(EntrySlots slots, KeySource keys) {
        this.slots = slots;
        this.keys = keys;
    }

    /** A region to be registered. Its arguments are checked. */
    record Request(
            TableDomain domain,
            BackingPart part,
            long address,
            int rights,
            boolean reserved,
            @Nullable CurrentIoOptions currentIo) {
        Request {
            MemoryRange.require(part, address, rights);
        }

        Backing backing() {
            return part.backing();
        }
    }

    TableRegion add(Request request) {
        ConsumerWord word = word(request.currentIo());
        request.domain().hold();
        try {
            request.backing().hold();
        } catch (IllegalStateException closed) {
            request.domain().release();
            throw closed;
        }
        try {
            TableRegion region = addRegion(request, word);
            request.backing().onRegistered(region);
            return region;
        } catch (IllegalStateException full) {
            request.backing().release();
            request.domain().release();
            throw full;
        }
    }

    private TableRegion addRegion(Request request, @Nullable ConsumerWord word) {
        lock.lock();
        try {
            int key = keys.claim();
            StateWord state = request.reserved() ? StateWord.invalid() : StateWord.valid();
            CurrentIoOptions options = request.currentIo();
            RegionIo currentIo = options == null ? null : new RegionIo(options.mode(), state, word);
            TableRegion region = new TableRegion(this, request, MemoryKey.index(key), currentIo);
            slots.publish(ProtectionEntry.region(key, region, state));
            return region;
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable ConsumerWord word(@Nullable CurrentIoOptions options) {
        MemorySegment word = options == null ? null : options.word();
        return word == null ? null : ConsumerWord.in(word);
    }

    /** Puts a key with room for pages into the table. */
    TableRegion reserve(TableDomain domain, int room) {
        domain.hold();
        try {
            return publishReserved(domain, room);
        } catch (IllegalStateException full) {
            domain.release();
            throw full;
        }
    }

    private TableRegion publishReserved(TableDomain domain, int room) {
        lock.lock();
        try {
            int key = keys.claim();
            slots.publish(ProtectionEntry.reserved(key, domain, room));
            return new TableRegion(this, domain, MemoryKey.index(key), room);
        } finally {
            lock.unlock();
        }
    }

    Window addWindow(TableDomain domain, Window.Type type) {
        domain.hold();
        try {
            return publishWindow(domain, type);
        } catch (IllegalStateException full) {
            domain.release();
            throw full;
        }
    }

    private Window publishWindow(TableDomain domain, Window.Type type) {
        lock.lock();
        try {
            int key = keys.claim();
            slots.publish(ProtectionEntry.window(key, domain, entryType(type)));
            return new TableWindow(this, domain, type, MemoryKey.index(key));
        } finally {
            lock.unlock();
        }
    }

    private static EntryType entryType(Window.Type type) {
        return switch (type) {
            case TYPE_1 -> EntryType.WINDOW_TYPE_1;
            case TYPE_2 -> EntryType.WINDOW_TYPE_2;
        };
    }

    /**
     * The entry at an index.
     *
     * @throws IllegalStateException if there is none: its owner is closed
     */
    ProtectionEntry entryOf(int index, Object owner) {
        ProtectionEntry entry = slots.at(index);
        if (entry == null) {
            throw new IllegalStateException(owner + " is closed");
        }
        return entry;
    }

    /** Removes the entry at an index. Called once by its owner; undoes a bind or an enable that happens at the same time. */
    void remove(int index) {
        ProtectionEntry entry;
        do {
            entry = entryOf(index, this);
            entry.retire();
        } while (!slots.replace(index, entry, null));
        entry.onReplaced();
        giveBack(entry.key);
    }

    /** Makes the region at an index invalid for good, if it is a region on this memory. */
    void revoke(int index, Backing backing) {
        ProtectionEntry entry;
        do {
            entry = slots.at(index);
            if (entry == null || !entry.isOn(backing)) {
                return; // its owner has closed it meanwhile
            }
            entry.retire();
        } while (!slots.replace(index, entry, entry.renewed(entry.key, StateWord.invalid(), Touches.MANY)));
    }

    private void giveBack(int key) {
        lock.lock();
        try {
            keys.giveBack(key);
        } finally {
            lock.unlock();
        }
    }
}
