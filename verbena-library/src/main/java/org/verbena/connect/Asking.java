package org.verbena.connect;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.verbs.QueuePair;

/** What is behind a {@link ConnectionRequest}, on one kind of wire. */
interface Asking {
    /** The peer's address, and the port that its request states. Any thread. */
    InetSocketAddress peer();

    /** The private data of the request. Any thread. */
    PrivateData privateData();

    /** The service id that the request asks for. Any thread. */
    long serviceId();

    /** The path's MTU, if the wire has one. Any thread. */
    @Nullable
    Mtu mtu();

    /** Reads and atomics that the peer wants to have outstanding at once. Any thread. */
    int initiatorDepth();

    /** Reads and atomics of this end that the peer serves at once. Any thread. */
    int responderResources();

    /** Bytes of private data in a rejection at most. Any thread. */
    int rejectionDataMax();

    /** Whether the request cannot be answered any more. Any thread. */
    boolean isVoid();

    /** Whether the request has no answer yet. Engine's thread. */
    boolean isOpen();

    /** Accepts the request, which is open. Engine's thread. */
    Connection accept(QueuePair queuePair, AcceptOptions options);

    /** Rejects the request, which is open. Engine's thread. */
    void refuse(RejectReason reason, PrivateData data);
}
