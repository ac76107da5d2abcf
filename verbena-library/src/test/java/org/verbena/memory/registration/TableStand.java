package org.verbena.memory.registration;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Registration;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** A registration table on a protection table of its own, in virtual time, with page locks that are only counted. */
final class TableStand {
    static final long SECOND_NS = 1_000_000_000;

    final VirtualClock clock = new VirtualClock(0);
    final ProtectionTable memory;
    final ProtectionDomain domain;
    final List<String> messages = new ArrayList<>();
    final BufferTable table;

    TableStand() {
        this(RegistrationOptions.DEFAULT);
    }

    TableStand(RegistrationOptions options) {
        this(options, 4096, new CountedLocks(64L << 20), true);
    }

    TableStand(RegistrationOptions options, int regionsMax, PageLock pageLock, boolean rounds) {
        memory = new ProtectionTable(regionsMax, new Seed(42));
        domain = memory.createDomain();
        table = new BufferTable(memory, "test", options, clock, pageLock, rounds, messages::add);
    }

    /** A use that is not ended. */
    int begin(MemorySegment buffer, boolean write) {
        return table.begin(domain, buffer, write);
    }

    void end(int key) {
        memory.endOperation(domain, key);
    }

    /** A use that is ended; its key. */
    int use(MemorySegment buffer) {
        int key = begin(buffer, false);
        end(key);
        return key;
    }

    long hits() {
        return table.counts().hits();
    }

    long misses() {
        return table.counts().misses();
    }

    /** The entry at an address. */
    Registration at(long address) {
        return table.list().stream()
                .filter(entry -> entry.address() == address)
                .findFirst()
                .orElseThrow();
    }

    Registration only() {
        List<Registration> all = table.list();
        if (all.size() != 1) {
            throw new AssertionError("one entry expected; found " + all);
        }
        return all.getFirst();
    }
}
