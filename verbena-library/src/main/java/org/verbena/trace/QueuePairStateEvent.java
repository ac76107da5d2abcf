package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder: a queue pair changed its state. */
@Name("org.verbena.QueuePairState")
@Label("Queue Pair State")
@Category("Verbena")
@Description("A queue pair changed its state")
@StackTrace(false)
public final class QueuePairStateEvent extends Event {
    @Label("Queue Pair")
    int queuePair;

    @Label("From")
    String from;

    @Label("To")
    String to;

    private QueuePairStateEvent(int queuePair, String from, String to) {
        this.queuePair = queuePair;
        this.from = from;
        this.to = to;
    }

    /** Adds a change to the recordings that have this event enabled. */
    public static void record(int queuePair, String from, String to) {
        new QueuePairStateEvent(queuePair, from, to).commit();
    }
}
