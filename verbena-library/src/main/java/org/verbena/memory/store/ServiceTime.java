package org.verbena.memory.store;

import org.verbena.time.Seed;

/**
 * The time that a simulated store works at one transfer: the sum of three parts, in nanoseconds.
 *
 * @param transferNs for the transfer
 * @param pageNs for each page of the transfer
 * @param jitterNs upper limit of a random part
 */
public record ServiceTime(long transferNs, long pageNs, long jitterNs) {
    /** No time: transfers end at the next {@link SimulatedPageStore#work}. */
    public static final ServiceTime NONE = new ServiceTime(0, 0, 0);

    /** About the times of a solid state disk: 60 µs for one page, 120 µs for 64 pages. */
    public static final ServiceTime DISK = new ServiceTime(59_000, 1_000, 10_000);

    /** @throws IllegalArgumentException if a part is negative */
    public ServiceTime {
        if (transferNs < 0 || pageNs < 0 || jitterNs < 0) {
            throw new IllegalArgumentException("a service time is not negative; found " + transferNs + " ns, " + pageNs
                    + " ns per page, jitter " + jitterNs + " ns");
        }
    }

    long drawNs(Seed seed, int pages) {
        long jitter = jitterNs == 0 ? 0 : (long) (seed.nextDouble() * (jitterNs + 1));
        return transferNs + pages * pageNs + jitter;
    }
}
