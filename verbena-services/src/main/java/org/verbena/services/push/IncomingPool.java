package org.verbena.services.push;

import org.jspecify.annotations.Nullable;
import org.verbena.verbs.PreparedTransfer;

/** A pool as the receiver of data sees it. If the peer pushes, the pool is memory of the receiver; if the receiver pulls, it is memory of the peer. */
final class IncomingPool {
    final int reference;
    final int elementBytes;
    final IncomingElements elements;
    /** Of the receiver; null if it pulls. */
    final @Nullable PoolMemory memory;
    /** Read of an element; null if the peer pushes. */
    final @Nullable PreparedTransfer read;
    /** Whether it was made for a request of the peer, and goes when it is not used. */
    final boolean extra;
    /** Whether the peer uses it no more: it is given back when all its data are delivered. */
    boolean flushed;
    /** Whether this end has asked the peer to use it no more. */
    boolean flushing;

    long usedNs;

    IncomingPool(
            int reference,
            int elementBytes,
            IncomingElements elements,
            @Nullable PoolMemory memory,
            @Nullable PreparedTransfer read,
            boolean extra,
            long nowNs) {
        this.reference = reference;
        this.elementBytes = elementBytes;
        this.elements = elements;
        this.memory = memory;
        this.read = read;
        this.extra = extra;
        this.usedNs = nowNs;
    }

    /** Whether it is flushed, or about to be. */
    boolean isEnding() {
        return flushing || flushed;
    }

    /** Offset of an element in the pool. */
    long offset(int element) {
        return (long) element * elementBytes;
    }

    /** Elements that wait for an update at most before one is sent. */
    int updateAt() {
        return Math.max(1, elements.count() / 4);
    }
}
