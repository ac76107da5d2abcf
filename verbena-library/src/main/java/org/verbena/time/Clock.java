package org.verbena.time;

/** Monotonic time in nanoseconds. Read once a turn by whoever drives an engine and passed down. */
@FunctionalInterface
public interface Clock {
    /** Nanoseconds since an arbitrary origin; never goes back. May be read by any thread. */
    long nowNs();

    /** The machine's monotonic clock. */
    static Clock system() {
        return System::nanoTime;
    }
}
