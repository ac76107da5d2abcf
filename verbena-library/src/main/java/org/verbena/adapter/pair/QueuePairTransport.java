package org.verbena.adapter.pair;

import org.verbena.adapter.Transport;
import org.verbena.queue.QueuePairState;

/** A queue pair of any service, as its consumer drives it through its states. Any thread may ask for the state. */
public interface QueuePairTransport extends Transport {
    /** The present state. Any thread. */
    QueuePairState state();

    /** RTS → SQD: what is under way is finished, nothing new is begun; an event tells when all is done. */
    void drain();

    /** SQD → RTS, and SQE → RTS for the services that have it. */
    void resume();

    /** Any → ERROR: everything posted comes back flushed. */
    void abort();

    /** Any → RESET: everything posted is forgotten. */
    void reset();
}
