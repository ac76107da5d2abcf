package org.verbena.adapter.iwarp.rdmap;

import org.jspecify.annotations.Nullable;
import org.verbena.wire.iwarp.TerminateCode;

/** The stream under a connection, as the connection sees it. */
public interface RdmapOwner {
    /** The peer, for people. */
    String peer();

    /** Input that the connection left for later may be offered again. */
    void onInputWanted();

    /**
     * The peer has terminated the stream.
     *
     * @param reason null if it is none of the RFCs'
     */
    void onTerminated(@Nullable TerminateCode reason);

    /** The connection has ended, and sends nothing but the terminate message that may wait in it. */
    void onEnded();

    /** The queue pair was reset: the stream is of no use any more. */
    void onDetached();
}
