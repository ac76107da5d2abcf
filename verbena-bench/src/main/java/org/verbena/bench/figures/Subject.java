package org.verbena.bench.figures;

import org.jspecify.annotations.Nullable;

/** Something that can be measured: a program with all its arguments, and where in its output the value is. */
interface Subject {
    /** Its name in the table. */
    String name();

    /** The command that a reader may type to repeat it. */
    String command();

    /** Why it cannot be measured here, or null if it can. */
    @Nullable
    String missing();

    /**
     * Measures once.
     *
     * @throws MeasurementException when no value came out
     */
    double measure() throws InterruptedException;
}
