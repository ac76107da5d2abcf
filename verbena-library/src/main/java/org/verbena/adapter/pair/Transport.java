package org.verbena.adapter.pair;

/**
 * Moves the work of one queue pair to and from its peer. A {@link PairCarrier} makes it when the peer is known; it is detached
 * when the queue pair is reset. It takes requests from {@link Pair#sends} and receives from {@link Pair#receives}; it reports a
 * failure by {@link Pair#fail}. The engine's thread calls everything.
 */
public interface Transport {
    /** RTR → RTS. Called before the state changes; may throw if a parameter is refused. */
    void readyToSend(ReadyParameters parameters);

    /**
     * Sends requests and answers that are ready, until about {@code budget} of {@link org.verbena.adapter.Effort} is spent. Called in
     * the states RTR, RTS, SQD and SQE; in RTR it sends answers only, in SQD and SQE it begins no new request.
     *
     * @return whether it stopped because of the budget or for want of room, and work is left
     */
    boolean transmit(long nowNs, int budget);

    /** Whether a request has been begun and is not done. Draining waits for it. */
    boolean isSending();

    /** The queue pair is about to end by its consumer's wish: the last chance to tell the peer about messages that were taken. */
    default void answerLast() {}

    /** The queue pair has failed or is being reset: keeps no pages, waits for none, and stops its timers. */
    void stop();

    /** All requests of the send queue have been given back. */
    default void onFlushed() {}

    /** The queue pair has been reset. The carrier gives it no more input. */
    void detach();
}
