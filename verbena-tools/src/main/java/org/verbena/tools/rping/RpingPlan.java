package org.verbena.tools.rping;

/**
 * The options of a run.
 *
 * @param count pings of a client; 0: until it is interrupted
 * @param size bytes of ping data, the zero at its end included
 * @param shows whether the data is printed
 * @param checks whether a client compares the returned data
 */
record RpingPlan(int count, int size, boolean shows, boolean checks) {
    /** As the original has it: room for the longest head that ping data can have. */
    private static final int SIZE_MIN = 27;

    private static final int SIZE_MAX = 64 * 1024 - 1;

    RpingPlan {
        if (count < 0) {
            throw new IllegalArgumentException("-C " + count + " found, 0 or more expected");
        }
        if (size < SIZE_MIN || size > SIZE_MAX) {
            throw new IllegalArgumentException("-S " + size + " found, " + SIZE_MIN + " to " + SIZE_MAX + " expected");
        }
    }
}
