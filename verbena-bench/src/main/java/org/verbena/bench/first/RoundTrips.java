package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.function.Supplier;

/** Messages there and back, one at a time: warmed up, then timed and printed. One thread. */
final class RoundTrips {
    /** Bytes of a message. */
    static final int SIZE = 64;

    /** One message there and back. */
    interface Trip {
        void make() throws IOException, InterruptedException;
    }

    private final Trip trip;
    private long[] timesNs = new long[1 << 16];
    private int count;

    private RoundTrips(Trip trip) {
        this.trip = trip;
    }

    /** Warms up, measures and prints. */
    static void measure(Trip trip, Arguments arguments, Control server, Supplier<Usage> here, PrintStream out)
            throws IOException, InterruptedException {
        RoundTrips trips = new RoundTrips(trip);
        trips.run(arguments.warmUpNs());
        trips.count = 0;
        Readings readings = Readings.begin();
        Usage before = here.get().plus(server.usage());
        double seconds = trips.run(arguments.windowNs()) / 1e9;
        Usage used = here.get().plus(server.usage()).since(before);
        readings.with(Reading.ROUND_TRIPS_PER_SECOND, trips.count / seconds)
                .with(Reading.MEDIAN_US, trips.percentileUs(0.5))
                .with(Reading.P99_US, trips.percentileUs(0.99))
                .with(Reading.CPU_US_PER_ROUND_TRIP, used.cpuNs() / 1e3 / trips.count)
                .with(Reading.RESENT_PERCENT, used.resentPercent())
                .print(out);
    }

    /** The time it took, which ends with a round trip. */
    private long run(long ns) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long now = begin;
        do {
            long sent = now;
            trip.make();
            now = System.nanoTime();
            add(now - sent);
        } while (now - begin < ns);
        return now - begin;
    }

    private void add(long ns) {
        if (count == timesNs.length) {
            timesNs = Arrays.copyOf(timesNs, 2 * count);
        }
        timesNs[count++] = ns;
    }

    /** The smallest time that at least this share of the round trips does not exceed. */
    private double percentileUs(double share) {
        long[] sorted = Arrays.copyOf(timesNs, count);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * count) - 1)] / 1e3;
    }
}
