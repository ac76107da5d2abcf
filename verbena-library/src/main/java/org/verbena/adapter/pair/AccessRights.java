package org.verbena.adapter.pair;

import java.util.EnumSet;
import java.util.Set;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.Accessor;

/** The accessors with which a queue pair accesses memory, made once, and the operations that it allows its peer at all. */
public final class AccessRights {
    private final Accessor localRead;
    private final Accessor localWrite;
    private final Accessor binder;
    private final Accessor remoteRead;
    private final Accessor remoteWrite;
    private final Accessor remoteAtomic;
    private Set<Right> enabled = EnumSet.noneOf(Right.class);

    public AccessRights(ProtectionDomain domain, int queuePair) {
        localRead = Accessor.local(domain, queuePair, Right.LOCAL_READ);
        localWrite = Accessor.local(domain, queuePair, Right.LOCAL_WRITE);
        binder = Accessor.local(domain, queuePair, Right.BIND_WINDOW);
        remoteRead = Accessor.remote(domain, queuePair, Right.REMOTE_READ);
        remoteWrite = Accessor.remote(domain, queuePair, Right.REMOTE_WRITE);
        remoteAtomic = Accessor.remote(domain, queuePair, Right.REMOTE_ATOMIC);
    }

    /** Allows the peer these operations, in place of those before. */
    public void enable(Set<Right> remoteRights) {
        enabled = EnumSet.noneOf(Right.class);
        enabled.addAll(remoteRights);
    }

    /** Allows the peer only those operations that are in this set too; adds none. */
    void narrow(Set<Right> remoteRights) {
        enabled.retainAll(remoteRights);
    }

    /** Whether the queue pair allows such an access of its peer, whatever the key grants. */
    public boolean allows(Accessor peer) {
        return enabled.contains(peer.right());
    }

    public Accessor localRead() {
        return localRead;
    }

    public Accessor localWrite() {
        return localWrite;
    }

    public Accessor binder() {
        return binder;
    }

    public Accessor remoteRead() {
        return remoteRead;
    }

    public Accessor remoteWrite() {
        return remoteWrite;
    }

    public Accessor remoteAtomic() {
        return remoteAtomic;
    }
}
