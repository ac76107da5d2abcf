package org.verbena.memory.protection;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.verbena.RemoteAccess;
import org.verbena.Verdict;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.translation.Backing;
import org.verbena.pool.HoldCount;

/** A protection domain of a table. */
final class TableDomain implements ProtectionDomain {
    private final ProtectionTable table;
    private final int id;
    private final RemoteAccess remoteAccess;
    private final @Nullable MemoryDomain memoryDomain;
    private final HoldCount entries = new HoldCount();

    /** @param memoryDomain the owner of its memory; null: memory of every owner */
    TableDomain(ProtectionTable table, int id, RemoteAccess remoteAccess, @Nullable MemoryDomain memoryDomain) {
        this.table = table;
        this.id = id;
        this.remoteAccess = remoteAccess;
        this.memoryDomain = memoryDomain;
    }

    /**
     * The implementation behind a domain.
     *
     * @throws IllegalArgumentException if it is not one of this library's
     */
    static TableDomain of(ProtectionDomain domain) {
        if (domain instanceof TableDomain own) {
            return own;
        }
        throw new IllegalArgumentException(domain + " was not created by an adapter");
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public RemoteAccess remoteAccess() {
        return remoteAccess;
    }

    @Override
    public Optional<MemoryDomain> memoryDomain() {
        return Optional.ofNullable(memoryDomain);
    }

    /** Whether memory may be registered in it. */
    boolean admits(Backing backing) {
        return memoryDomain == null || backing.belongsTo(memoryDomain);
    }

    /**
     * Refuses memory of another owner.
     *
     * @throws IllegalArgumentException if the domain is bound to another owner
     */
    void requireAdmitted(Backing backing) {
        if (!admits(backing)) {
            throw new IllegalArgumentException("memory of domain " + backing.memoryDomain() + " found, memory of "
                    + memoryDomain + " expected in " + this + ": " + Verdict.WRONG_MEMORY_DOMAIN.reason());
        }
    }

    @Override
    public int entries() {
        return entries.count();
    }

    @Override
    public void close() {
        table.tellClosing(this);
        entries.close(this);
    }

    boolean isOf(ProtectionTable table) {
        return this.table == table;
    }

    /**
     * Adds an entry: the domain cannot be closed before {@link #release}.
     *
     * @throws IllegalStateException if it is closed, or bound to a memory domain that is closed
     */
    void hold() {
        if (memoryDomain != null && memoryDomain.isClosed()) {
            throw new IllegalStateException(this + " is bound to " + memoryDomain + ", which is closed");
        }
        entries.hold(this);
    }

    /** Removes an entry. */
    void release() {
        entries.release();
    }

    @Override
    public String toString() {
        return "protection domain " + id;
    }
}
