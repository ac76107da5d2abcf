package org.verbena.adapter;

/**
 * Common data of the page faults of an engine: the times they took, the time limit, and the number of faults and holds at present.
 * The engine's thread calls everything but {@link #open} and {@link #held}.
 */
public final class Faults {
    private final FaultTimes times = new FaultTimes();
    private long limitNs = Limits.FAULT_NS;
    private volatile int open;
    private volatile int held;

    public Faults() {}

    /** The times that recent faults took. */
    public FaultTimes times() {
        return times;
    }

    /** Time limit of a fault; when it is reached, the queue pair that waits for it fails. */
    public long limitNs() {
        return limitNs;
    }

    /** Changes the time limit of faults that begin from now on. */
    public void limitNs(long ns) {
        if (ns <= 0) {
            throw new IllegalArgumentException("the time limit of a page fault must be positive; found " + ns + " ns");
        }
        limitNs = ns;
    }

    /** Faults that last, or whose pages are leased. Any thread. */
    public int open() {
        return open;
    }

    /** Reads and atomics under way whose landing pages are held. Any thread. */
    public int held() {
        return held;
    }

    /** A fault began. */
    public void onOpened() {
        open(1);
    }

    /** A fault was released. */
    public void onReleased() {
        open(-1);
    }

    /** Adds to the number of holds; a negative number subtracts. */
    public void onHeld(int more) {
        hold(more);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void open(int more) {
        open += more;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void hold(int more) {
        held += more;
    }
}
