package org.verbena.tools.memory;

import java.util.Locale;
import java.util.SplittableRandom;

/** Which cell comes next, under the names of the command line. */
public enum AccessPattern {
    /** Any, all alike. */
    UNIFORM,
    /** The n-th cell n times as seldom as the first. */
    ZIPF,
    /** One after the other, from the start again after the last. */
    SCAN;

    /** @param turn how many were chosen before */
    int cell(int cells, long turn, SplittableRandom random) {
        return switch (this) {
            case UNIFORM -> random.nextInt(cells);
            // Of logarithms evenly spread, those between n and n + 1 are one in n.
            case ZIPF -> Math.clamp((long) Math.pow(cells + 1.0, random.nextDouble()) - 1, 0, cells - 1);
            case SCAN -> (int) (turn % cells);
        };
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
