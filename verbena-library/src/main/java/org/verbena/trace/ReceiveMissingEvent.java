package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Flight Recorder: a queue pair has waited long for a receive of its peer. */
@Name("org.verbena.ReceiveMissing")
@Label("Receive Missing")
@Category("Verbena")
@Description("A queue pair has waited long for a receive of its peer, which answers that it is not ready")
@StackTrace(false)
public final class ReceiveMissingEvent extends Event {
    @Label("Queue Pair")
    int queuePair;

    @Label("Peer")
    String peer;

    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Refusals")
    long refusals;

    private ReceiveMissingEvent(int queuePair, String peer, long waited, long refusals) {
        this.queuePair = queuePair;
        this.peer = peer;
        this.waited = waited;
        this.refusals = refusals;
    }

    /** Adds a wait of this time, with this number of refusals, to the recordings that have this event enabled. */
    public static void record(int queuePair, String peer, long waitedNs, long refusals) {
        new ReceiveMissingEvent(queuePair, peer, waitedNs, refusals).commit();
    }
}
