package org.verbena.adapter.iwarp.rdmap;

import org.verbena.Verdict;
import org.verbena.wire.iwarp.TerminateCode;

/** The connection, as its parts see it. */
interface Upcalls {
    /** The connection has to end, and the peer is told the reason. */
    void fail(TerminateCode reason, String detail);

    /** The memory that the peer asked for is refused: the connection has to end, and peer and owner of the memory are told the reason. */
    void refuse(TerminateCode reason, int key, long address, long length, Verdict verdict);

    /** A request of this side has failed, and with it the connection. The peer is told the reason if it is ready to receive. */
    void failOwn(TerminateCode reason, String detail);

    /** The channel has no room: the queue pair is scheduled again when it has. */
    void onBlocked();
}
