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

    /**
     * Finds the sources that are ready now. No thread waits meanwhile. {@link #tell} follows.
     *
     * @return true if it has taken a {@link #rouse}, or an equal event from outside, from the next wait
     */
    boolean look();

    /** Tells the sources that the last wait or look found ready. After each of them, by the driving thread. */
    void tell();

    /** Any thread: ends the current wait, or the next one if the thread is between {@link #prepare} and {@link #await}. */
    void rouse();

    /** Gives everything back. {@link #rouse} then does nothing. */
    void close();
}
