package org.verbena.tools.perf;

import org.verbena.tools.console.StopSign;

/** The end that begins messages and takes the time. One thread; may run several extents one after the other. */
sealed interface Initiator permits BandwidthTest, LatencyTest {
    static Initiator of(Side side, SideAddress peer, Target companion, StopSign stop) {
        return side.plan().isLatency()
                ? new LatencyTest(side, peer, companion, stop)
                : new BandwidthTest(side, peer, companion, stop);
    }

    /** Does so much, or less if it is told to stop or something fails, and counts it. Nothing is outstanding afterwards. */
    void run(Extent extent, Tally tally);
}
