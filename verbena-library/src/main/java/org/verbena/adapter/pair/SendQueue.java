package org.verbena.adapter.pair;

import org.jspecify.annotations.Nullable;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.queue.Ring;

/** The requests of a send ring that are not retired, and the way their consumer is told. The engine's thread calls everything. */
public final class SendQueue {
    private final Ring ring;
    private final SendCompletions completions;
    private final @Nullable RegisterWork registers;
    /** Position of the oldest request; the ring's own word for it may have been overwritten. */
    private long retired;

    /** @param registers null if the queue pair takes no registrations */
    SendQueue(Ring ring, SendCompletions completions, @Nullable RegisterWork registers) {
        this.ring = ring;
        this.completions = completions;
        this.registers = registers;
    }

    public Ring ring() {
        return ring;
    }

    /** Position of the oldest request, or of the next one to be posted if there is none. */
    public long retired() {
        return retired;
    }

    /** Number of requests. */
    public int posted() {
        return ring.published(retired);
    }

    /**
     * The oldest request is done or has failed: its consumer is told, its slot is free.
     *
     * @return false when its completion found no room: the queue pair must fail
     */
    public boolean retire(Status status, Verdict verdict) {
        boolean told = completions.complete(retired, status, verdict);
        onRetired();
        ring.release(retired);
        return told;
    }

    /** Forgets all requests, without completions. */
    void discard() {
        for (int left = posted(); left > 0; left--) {
            completions.forget(retired);
            onRetired();
        }
        ring.release(retired);
    }

    private void onRetired() {
        if (registers != null) {
            registers.onRetired(retired);
        }
        retired++;
    }
}
