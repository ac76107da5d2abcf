package org.verbena.adapter.iwarp.rdmap;

/** The stream under a connection, as the connection sees it. */
public interface RdmapOwner {
    /** The peer, for people. */
    String peer();

    /** Input that the connection left for later may be offered again. */
    void onInputWanted();

    /** The connection has ended, and sends nothing but the terminate message that may wait in it. */
    void onEnded();

    /** The queue pair was reset: the stream is of no use any more. */
    void onDetached();
}
