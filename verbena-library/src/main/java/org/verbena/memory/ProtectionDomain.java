package org.verbena.memory;

/**
 * What belongs together: keys of one domain are of no use to queue pairs of another. Made by
 * {@link ProtectionTable#createDomain}; any thread.
 */
public final class ProtectionDomain implements AutoCloseable {
    private final ProtectionTable table;
    private final int id;
    private final RemoteAccess remoteAccess;
    private final HoldCount entries = new HoldCount();

    ProtectionDomain(ProtectionTable table, int id, RemoteAccess remoteAccess) {
        this.table = table;
        this.id = id;
        this.remoteAccess = remoteAccess;
    }

    /** Number of the domain, unique within its table. */
    public int id() {
        return id;
    }

    /** What peers may use keys of this domain for. */
    public RemoteAccess remoteAccess() {
        return remoteAccess;
    }

    /** Regions, windows and queue pairs that are open in it. */
    public int entries() {
        return entries.count();
    }

    /** Ends the domain. Refused with an {@link IllegalStateException} while any of them remains; idempotent. */
    @Override
    public void close() {
        entries.close(this);
    }

    boolean isOf(ProtectionTable table) {
        return this.table == table;
    }

    /** One more thing of the domain's: it can't be closed before {@link #release}. For adapters. */
    public void hold() {
        entries.hold(this);
    }

    /** One thing of the domain's is gone. For adapters. */
    public void release() {
        entries.release();
    }

    @Override
    public String toString() {
        return "protection domain " + id;
    }
}
