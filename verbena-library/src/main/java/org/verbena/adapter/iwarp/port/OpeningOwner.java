package org.verbena.adapter.iwarp.port;

import org.verbena.PrivateData;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.link.stream.StreamFailure;

/** Is told the end of a {@link StreamOpening}, by one of these methods, once. The engine's thread. */
public interface OpeningOwner {
    /**
     * Both sides have agreed.
     *
     * @param number of the stream, for the queue pair that is to use it
     */
    void onAgreed(int number, MpaAgreement agreement);

    /** The peer's consumer has rejected the request. */
    void onRejected(PrivateData data);

    /**
     * There will be no connection, and the stream is closed.
     *
     * @param detail for people: what was found
     */
    void onFailed(StreamFailure why, String detail);
}
