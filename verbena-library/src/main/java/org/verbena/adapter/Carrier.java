package org.verbena.adapter;

import org.verbena.link.WakeSource;

/**
 * A way by which the queue pairs of an engine reach their peers: InfiniBand packets on a link, or streams. The engine's thread
 * calls everything.
 */
public interface Carrier {
    /**
     * Takes input that has arrived and gives it to the queue pairs.
     *
     * @param max bound on the packets, or pieces of a stream, that are taken
     * @return how many were taken
     */
    int receive(long nowNs, int max);

    /** The source that the runner of the engine asks before a sleep, and whose events end the sleep. Always the same. */
    WakeSource source();

    /** Hands output that is ready to the operating system or to the network. */
    void flush();

    /**
     * A turn was cut short by memory that is gone: gives up output that was begun, and fails the queue pair whose input was being
     * taken.
     */
    void recover();

    /** A queue pair was closed. Nothing is kept for its number. */
    void onRemoved(int queuePair);
}
