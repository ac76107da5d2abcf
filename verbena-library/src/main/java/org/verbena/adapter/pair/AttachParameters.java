package org.verbena.adapter.pair;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Address;

/**
 * Parameters with which a queue pair gets its transport. Every carrier understands the methods here; parameters of one kind of
 * carrier are in the class that implements this interface.
 */
public interface AttachParameters {
    PairService service();

    /** Address of the peer; null for a service without a peer. */
    default @Nullable Address remote() {
        return null;
    }

    /** Number of the peer's queue pair; 0 for a service without a peer. */
    default int remoteQueuePair() {
        return 0;
    }
}
