package org.verbena.time;

import java.time.Instant;

/** Monotonic time in nanoseconds. The runner of an engine reads it once a turn and passes the time down. */
@FunctionalInterface
public interface NanoClock {
    /** Nanoseconds since an arbitrary origin; never goes back. May be read by any thread. */
    long nowNs();

    /** Nanoseconds since 1970, for dates in files. Not monotonic: it can be set. */
    static NanoClock wall() {
        return () -> {
            Instant now = Instant.now();
            return now.getEpochSecond() * 1_000_000_000 + now.getNano();
        };
    }

    /** The machine's monotonic clock. */
    static NanoClock system() {
        return System::nanoTime;
    }
}
