package org.verbena.memory;

import java.time.Duration;

/**
 * The current-I/O field of a region whose owner allows that it is swapped out: the number of operations under way, and an
 * indicator that no new one may begin. Consumer and hypervisor talk through it. Any thread.
 *
 * <p>The hypervisor asks for quiesce. From then on no operation begins. When no operation is under way, or the consumer calls
 * {@link #quiesced}, the region becomes invalid and its pages leave machine memory: every access under its key is refused. Later
 * the region is resumed under the same key.
 */
public interface CurrentIo {
    /** The side that counts operations. */
    enum Mode {
        /**
         * The library counts: a work request is under way from its post until it is retired, whether it succeeds or not. Each
         * segment that lies in the region is one operation. A post that would begin one while the region is quiescing throws
         * a {@link QuiescingException}.
         *
         * <p>Accesses by peers under the key of the region or of a window on it (writes, reads and atomics of theirs) are not counted. If the region
         * is swapped out between two packets of such a message, the rest of the message is refused and the connection fails. The consumer knows
         * its peers, and asks them to stop; or it takes {@link #LIBRARY_AND_PEERS}.
         */
        LIBRARY,
        /**
         * Like {@link #LIBRARY}, and messages of peers are counted too: a write from its first packet to its last, a read from its request until its answer is sent. So
         * no message is cut by a swap-out. A message that begins while the region is quiescing is let in and counted, because the peer does not know
         * of it; when the region is swapped out, messages are refused. A message ends at last when its connection does.
         */
        LIBRARY_AND_PEERS,
        /**
         * The consumer counts, with {@link CurrentIo#begin} and {@link CurrentIo#end}: for operations that end later than their
         * work requests, for example when an answer is received. Posts are not checked; a work request that comes too
         * late fails when it is executed.
         */
        CONSUMER
    }

    /** The side that counts. */
    Mode mode();

    /** Operations under way, in all processes; messages of peers among them if they are counted. */
    int operations();

    /**
     * Begins an operation, in mode {@link Mode#CONSUMER}.
     *
     * @return false while the region is quiescing; then nothing was begun
     * @throws IllegalStateException if the library counts, the region is closed, or too many operations are under way
     */
    boolean begin();

    /**
     * Ends an operation, in mode {@link Mode#CONSUMER}.
     *
     * @throws IllegalStateException if the library counts, or no operation is under way
     */
    void end();

    /** Whether no operation may begin: the region is about to be swapped out, or is swapped out. */
    boolean isQuiescing();

    /**
     * Sets the action that is run each time the hypervisor asks for quiesce; runs it now if the region is quiescing. Replaces the
     * action set before. The action must not block.
     */
    void onQuiesce(Runnable action);

    /**
     * The "memory region quiesced" service: promises that the operations still counted access nothing before the region is
     * resumed, so that quiesce need not wait for them. Example: receives that stay posted while the peers send nothing.
     * If the promise is wrong, the access is refused. Does nothing unless the hypervisor has asked for quiesce.
     */
    void quiesced();

    /**
     * Asks for the region to be brought back. A quiesce that is not complete is called off if operations are still
     * under way 10 ms after the hypervisor asked for it. {@link #onResume} and {@link #awaitResumed} include this request. Does
     * nothing unless the region is quiescing.
     */
    void interest();

    /**
     * Runs an action once when operations may begin again or the region is closed; runs it at once if that is so now. Includes
     * the request of {@link #interest}. If the region cannot come back now, the action waits for the next attempt: when
     * interest is shown again, when the hypervisor swaps the region in, or when pins are released. When the action runs, the region
     * may be quiescing again. The thread that swaps runs the action; it must not block.
     */
    void onResume(Runnable action);

    /**
     * Waits until operations may begin again or the region is closed; the region may be quiescing again when this returns.
     * Includes the request of {@link #interest}.
     *
     * @return false when the time is over
     */
    boolean awaitResumed(Duration timeout) throws InterruptedException;
}
