package org.verbena.memory.protection;

import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;

/**
 * The side that makes an access, and the right that it needs: a queue pair of a domain, for its consumer or for its peer.
 * Immutable. An engine makes one for each queue pair and kind of access and passes it with every packet.
 */
public final class Accessor {
    final TableDomain domain;
    final int queuePair;
    final boolean remote;
    final int rightMask;
    private final Right right;

    private Accessor(TableDomain domain, int queuePair, boolean remote, Right right) {
        this.domain = domain;
        this.queuePair = queuePair;
        this.remote = remote;
        this.right = right;
        this.rightMask = right.mask();
    }

    /** An access for the consumer of the queue pair. The right is a local one or {@link Right#BIND_WINDOW}. */
    public static Accessor local(ProtectionDomain domain, int queuePair, Right right) {
        if (right.isRemote()) {
            throw new IllegalArgumentException(right + " is not a right of a local access");
        }
        return new Accessor(TableDomain.of(domain), queuePair, false, right);
    }

    /** An access for the peer of the queue pair. The right is a remote one. */
    public static Accessor remote(ProtectionDomain domain, int queuePair, Right right) {
        if (!right.isRemote()) {
            throw new IllegalArgumentException(right + " is not a right of a remote access");
        }
        return new Accessor(TableDomain.of(domain), queuePair, true, right);
    }

    /** The domain of the queue pair. */
    public ProtectionDomain domain() {
        return domain;
    }

    /** The queue pair's number. */
    public int queuePair() {
        return queuePair;
    }

    /** The right that the access needs. */
    public Right right() {
        return right;
    }

    /** Whether the access is for the peer. */
    public boolean isRemote() {
        return remote;
    }

    @Override
    public String toString() {
        return (remote ? "peer" : "consumer") + " of queue pair " + queuePair + " in " + domain + " for " + right;
    }
}
