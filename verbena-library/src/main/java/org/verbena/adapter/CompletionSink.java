package org.verbena.adapter;

import java.util.Arrays;
import org.verbena.EventKind;
import org.verbena.queue.CompletionEntry;
import org.verbena.queue.CompletionRing;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;

/** The engine's way to completion rings. It remembers the rings that got a completion in this turn, to notify each once. */
public final class CompletionSink {
    private final CompletionEntry entry = new CompletionEntry();
    private final Counters counters;
    private final Events events;
    private CompletionRing[] touched = new CompletionRing[16];
    private int count;

    CompletionSink(Counters counters, Events events) {
        this.counters = counters;
        this.events = events;
    }

    /** The entry that the caller fills; {@link #push} copies it to a ring. */
    public CompletionEntry entry() {
        return entry;
    }

    /** Hands the entry to the consumer; false, with an event, when the ring is full: the queue pair must fail. */
    public boolean push(CompletionRing ring) {
        if (!ring.push(entry)) {
            counters.add(Counter.COMPLETION_OVERRUNS);
            if (ring.onOverrun()) {
                events.onEvent(EventKind.COMPLETION_QUEUE_OVERRUN, ring);
            }
            return false;
        }
        remember(ring);
        return true;
    }

    /** Wakes consumers that wait on a ring that got a completion. Called once a turn. */
    void notifyConsumers() {
        for (int i = 0; i < count; i++) {
            touched[i].notifyArmed();
        }
        count = 0;
    }

    private void remember(CompletionRing ring) {
        for (int i = 0; i < count; i++) {
            if (touched[i] == ring) {
                return;
            }
        }
        if (count == touched.length) {
            touched = Arrays.copyOf(touched, count * 2);
        }
        touched[count++] = ring;
    }
}
