package org.verbena.tools.lan;

import org.verbena.tools.console.StopSign;

/**
 * Waits while a driver runs on its own thread.
 *
 * @param statsSeconds time between statistics; 0: none
 * @param durationSeconds time until the end; 0: until the stop sign is raised
 */
record LanPeriods(int statsSeconds, int durationSeconds) {
    private static final long LOOK_MS = 50;
    private static final long SECOND_NS = 1_000_000_000L;

    /** Waits for the end, and has the statistics printed meanwhile. */
    void await(StopSign stop, Runnable stats) throws InterruptedException {
        long startNs = System.nanoTime();
        long printed = 0;
        while (!stop.isRaised()) {
            long passedNs = System.nanoTime() - startNs;
            if (durationSeconds > 0 && passedNs >= durationSeconds * SECOND_NS) {
                return;
            }
            if (statsSeconds > 0 && passedNs / (statsSeconds * SECOND_NS) > printed) {
                printed++;
                stats.run();
            }
            Thread.sleep(LOOK_MS);
        }
    }
}
