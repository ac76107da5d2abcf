package org.verbena.memory.protection;

import org.verbena.RemoteAccess;
import org.verbena.memory.ProtectionDomain;
import org.verbena.pool.HoldCount;

/** A protection domain of a table. */
final class TableDomain implements ProtectionDomain {
    private final ProtectionTable table;
    private final int id;
    private final RemoteAccess remoteAccess;
    private final HoldCount entries = new HoldCount();

    TableDomain(ProtectionTable table, int id, RemoteAccess remoteAccess) {
        this.table = table;
        this.id = id;
        this.remoteAccess = remoteAccess;
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

    /** Adds an entry: the domain cannot be closed before {@link #release}. */
    void hold() {
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
