package org.verbena.link.sleep;

/** A means to block a thread until it is roused, a watched source is ready, or the time is over. */
interface Waiter {
    /** The current thread is about to wait. Called before other threads can see that. */
    void prepare();

    /**
     * Blocks the current thread. Another thread may drive meanwhile: no source is told yet.
     *
     * @return false if no watched source is known to be ready
     */
    boolean await(long timeoutNs);

    /** Tells the sources that the last wait found ready. After each wait, by the driving thread. */
    void tell();

    /** Any thread: ends the current wait, or the next one if the thread is between {@link #prepare} and {@link #await}. */
    void rouse();

    /** Gives everything back. {@link #rouse} then does nothing. */
    void close();
}
