package org.verbena.adapter.ib.message;

import java.util.Set;
import org.verbena.adapter.pair.QueuePairTransport;
import org.verbena.memory.Right;

/** A queue pair that speaks to one peer: reliably or not. */
public interface ConnectedTransport extends QueuePairTransport {
    /** RESET or INIT → INIT: says what the peer may do at all. */
    void initialize(Set<Right> remoteRights);

    /** INIT → RTR. */
    void readyToReceive(ReceiveParameters parameters);

    /** RTR → RTS. */
    void readyToSend(SendParameters parameters);
}
