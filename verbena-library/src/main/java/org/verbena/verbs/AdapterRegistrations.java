package org.verbena.verbs;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.RegistrationTable;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.registration.BufferKeys;
import org.verbena.memory.registration.BufferTable;
import org.verbena.memory.registration.CopyPool;
import org.verbena.memory.registration.SweepThread;
import org.verbena.time.NanoClock;

/**
 * The registration tables of an adapter, its own and those of consumers, and its arenas. A table that is closed leaves when no work request uses its entries any
 * more. Any thread.
 */
final class AdapterRegistrations {
    private final ProtectionTable memory;
    private final NanoClock clock;
    private final boolean swept;
    private final Consumer<String> onUnpinned;
    private final AdapterMetrics metrics;
    private final BufferTable own;
    private final CopyPool sources;
    private final CopyPool targets;
    private final List<BufferTable> tables = new CopyOnWriteArrayList<>();
    private final Set<AdapterArena> arenas = ConcurrentHashMap.newKeySet();

    /**
     * With an empty table of the adapter.
     *
     * @param clock the adapter's
     * @param onUnpinned gets a message of each table whose memory cannot be pinned
     */
    AdapterRegistrations(
            ProtectionTable memory,
            AdapterOptions options,
            NanoClock clock,
            AdapterMetrics metrics,
            Consumer<String> onUnpinned) {
        this.memory = memory;
        this.clock = clock;
        this.swept = options.run() != AdapterOptions.Run.MANUAL;
        this.metrics = metrics;
        this.onUnpinned = onUnpinned;
        this.sources = CopyPool.ofSources(memory);
        this.targets = CopyPool.ofTargets(memory);
        this.own = make("adapter " + options.name(), options.registrations());
    }

    BufferTable own() {
        return own;
    }

    NanoClock clock() {
        return clock;
    }

    List<BufferTable> all() {
        return tables;
    }

    BufferTable create(String owner, RegistrationOptions options) {
        BufferTable table = make(owner, options);
        metrics.register(table);
        return table;
    }

    private BufferTable make(String owner, RegistrationOptions options) {
        BufferTable table = new BufferTable(memory, owner, options, clock, onUnpinned);
        tables.add(table);
        table.onDone(() -> forget(table));
        if (swept) {
            SweepThread.add(table);
        }
        return table;
    }

    /** The table is closed, and nothing uses its entries. */
    private void forget(BufferTable table) {
        tables.remove(table);
        metrics.forget(table);
        SweepThread.remove(table);
    }

    /** What the receives of shared receive queues need. */
    PostMemory.Supply supply() {
        return new PostMemory.Supply(own, sources, targets);
    }

    /** What the requests of a queue pair need. */
    PostMemory.Supply supply(QueuePairOptions options) {
        RegistrationTable wanted = options.registrations();
        return wanted == null ? supply() : new PostMemory.Supply(keys(wanted), sources, targets);
    }

    private BufferKeys keys(RegistrationTable wanted) {
        if (wanted instanceof BufferTable table && tables.contains(table) && table.isOpen()) {
            return table;
        }
        throw new IllegalArgumentException(wanted + " is closed, or of another adapter");
    }

    void add(AdapterArena arena) {
        arenas.add(arena);
    }

    void remove(AdapterArena arena) {
        arenas.remove(arena);
    }

    /** Closes all tables, then the arenas that are open. Called when the engine has ended. */
    void close() {
        for (BufferTable table : tables) {
            table.shut();
        }
        sources.close();
        targets.close();
        arenas.forEach(AdapterArena::free);
    }
}
