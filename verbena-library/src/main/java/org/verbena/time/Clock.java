package org.verbena.time;

import java.time.Instant;

/** Monotonic time in nanoseconds. Read once a turn by whoever drives an engine and passed down. */
@FunctionalInterface
public interface Clock {
    /** Nanoseconds since an arbitrary origin; never goes back. May be read by any thread. */
    long nowNs();

    /** Nanoseconds since 1970, for dates in files. Not monotonic: somebody may set it. */
    static Clock wall() {
        return () -> {
            Instant now = Instant.now();
            return now.getEpochSecond() * 1_000_000_000 + now.getNano();
        };
    }

    /** The machine's monotonic clock. */
    static Clock system() {
        return System::nanoTime;
    }
}
