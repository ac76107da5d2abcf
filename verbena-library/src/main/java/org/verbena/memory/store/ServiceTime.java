package org.verbena.memory.store;

import org.verbena.time.Seed;

/**
 * How long a simulated store works at one transfer.
 *
 * @param transferNs for each transfer
 * @param pageNs more for each page of it
 * @param jitterNs more, by chance, at most
 */
public record ServiceTime(long transferNs, long pageNs, long jitterNs) {
    /** Transfers end the next time the store works. */
    public static final ServiceTime NONE = new ServiceTime(0, 0, 0);

    /** About what a solid state disk does: 60 µs for a page, 120 µs for 64. */
    public static final ServiceTime DISK = new ServiceTime(59_000, 1_000, 10_000);

    public ServiceTime {
        if (transferNs < 0 || pageNs < 0 || jitterNs < 0) {
            throw new IllegalArgumentException("a service takes no negative time; found " + transferNs + " ns, "
                    + pageNs + " ns per page, jitter " + jitterNs + " ns");
        }
    }

    long drawNs(Seed seed, int pages) {
        long jitter = jitterNs == 0 ? 0 : (long) (seed.nextDouble() * (jitterNs + 1));
        return transferNs + pages * pageNs + jitter;
    }
}
