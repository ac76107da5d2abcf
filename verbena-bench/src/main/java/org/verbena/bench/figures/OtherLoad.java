package org.verbena.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/**
 * The load of the machine by other processes during a measurement, a gauge of noise. Linux counts the processor time of the
 * whole machine, and that of this process and its ended children, in the same ticks; the difference is the other load.
 */
public final class OtherLoad {
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int COUNTED = 8;
    /** First field after the name in brackets: user, system, and both of ended children. */
    private static final int FIRST_OWN = 11;

    private final long[] start = read();

    /** Begins now. */
    public OtherLoad() {}

    /** Percent of the machine's processor time that other processes used since this object was made; empty if not known. */
    public OptionalDouble percent() {
        long[] end = read();
        long total = end[1] - start[1];
        if (total <= 0) {
            return OptionalDouble.empty();
        }
        long others = end[0] - start[0] - (end[2] - start[2]);
        return OptionalDouble.of(100.0 * Math.max(0, others) / total);
    }

    /** Busy ticks of all, all ticks, own ticks. */
    private static long[] read() {
        try {
            String[] machine = Files.readString(Path.of("/proc/stat"))
                    .lines()
                    .findFirst()
                    .orElse("")
                    .split("\\s+", -1);
            String own = Files.readString(Path.of("/proc/self/stat"));
            long busy = 0;
            long total = 0;
            for (int i = 0; i < COUNTED; i++) {
                long ticks = Long.parseLong(machine[i + 1]);
                total += ticks;
                busy += i == IDLE || i == WAITING ? 0 : ticks;
            }
            return new long[] {busy, total, ownTicks(own)};
        } catch (IOException | ArrayIndexOutOfBoundsException | NumberFormatException e) {
            return new long[3];
        }
    }

    static long ownTicks(String stat) {
        String[] words = stat.substring(stat.lastIndexOf(')') + 2).split("\\s+", -1);
        long ticks = 0;
        for (int i = FIRST_OWN; i < FIRST_OWN + 4; i++) {
            ticks += Long.parseLong(words[i]);
        }
        return ticks;
    }
}
