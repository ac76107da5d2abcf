package org.verbena.link.stream;

/**
 * Is told the events of a {@link ByteStream}, by {@link StreamNetwork#poll}. Readiness is told again by each poll while it lasts and is
 * wanted; it may be told although there is nothing.
 */
public interface StreamUser {
    /** Bytes have arrived, or the end of the stream. */
    void onReadable();

    /** The network takes bytes again. */
    void onWritable();

    /** Of a stream that this side opens: the peer's system has taken it. */
    default void onConnected() {}

    /**
     * Of a stream that this side opens: there will be no stream. It is closed.
     *
     * @param detail for people: what was tried, and the system's reason
     */
    default void onFailed(StreamFailure why, String detail) {}
}
