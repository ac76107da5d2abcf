package org.verbena.memory.paging;

/**
 * Whether page-ins wait for frames while none can be reclaimed. Written inside the monitor of a pager; read by any thread.
 */
final class FrameShortage {
    private volatile boolean present;
    private volatile long count;
    private volatile Runnable action = () -> {};

    /** Whether page-ins wait for frames, and none has got one since the first of them found none. */
    boolean isPresent() {
        return present;
    }

    /** Number of shortages so far. */
    long count() {
        return count;
    }

    /** Sets the action that runs when a shortage begins. It runs inside the monitor, so it only passes the news on. */
    void onBegin(Runnable begun) {
        action = begun;
    }

    /**
     * Notes the state after a turn. Inside the monitor.
     *
     * @param waiting number of page-ins that wait for a frame
     * @param assigned whether a page-in got a frame in this turn
     * @param stuck whether no frame can be reclaimed
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // changed inside the monitor only
    void update(int waiting, boolean assigned, boolean stuck) {
        if (assigned || waiting == 0) {
            present = false;
        } else if (stuck && !present) {
            count++;
            present = true;
            action.run();
        }
    }
}
