package org.verbena;

/** The operation of an access that met a page fault at an adapter. */
public enum FaultKind {
    /** The peer sends: the data goes into a receive. */
    SEND(true, true),
    /** The peer writes. */
    WRITE(true, true),
    /** The peer does an atomic operation, an atomic write included. */
    ATOMIC(true, true),
    /** The peer reads: the answer is gathered. */
    READ(true, false),
    /** Data of an own send or write is gathered. */
    GATHER(false, false),
    /** The answer to an own read or atomic lands. */
    LANDING(false, true);

    private final boolean byPeer;
    private final boolean write;

    FaultKind(boolean byPeer, boolean write) {
        this.byPeer = byPeer;
        this.write = write;
    }

    /** Whether the peer asked for the operation; else the consumer of the queue pair did. */
    public boolean isByPeer() {
        return byPeer;
    }

    /** Whether the memory is written; else it is read. */
    public boolean isWrite() {
        return write;
    }
}
