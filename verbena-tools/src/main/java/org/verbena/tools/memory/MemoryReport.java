package org.verbena.tools.memory;

import org.jspecify.annotations.Nullable;
import org.verbena.trace.Counter;

/**
 * The result of a run.
 *
 * @param plan of the run
 * @param outcome counts of the run
 * @param seen the state after the load
 */
public record MemoryReport(MemoryPlan plan, Outcome outcome, Snapshot seen) {
    /**
     * The counts of the consumer.
     *
     * @param seconds of the load
     * @param loaded the load
     * @param swept reads of everything after it
     * @param readBack cells read then
     * @param cells all cells
     */
    record Outcome(double seconds, MemoryTally loaded, MemoryTally swept, int readBack, int cells) {}

    /** Page faults of both adapters, of all kinds. */
    public long faults() {
        return FaultKinds.sum(seen);
    }

    /** Of both adapters together. */
    public long count(Counter counter) {
        return seen.count(counter);
    }

    public long operations() {
        return outcome.loaded.operations();
    }

    public double operationsPerSecond() {
        return outcome.seconds > 0 ? operations() / outcome.seconds : 0;
    }

    /** Whether all that is registered was read back. */
    public boolean readAllBack() {
        return outcome.readBack == outcome.cells;
    }

    /** Whether every byte was looked at, and was right. */
    public boolean isRight() {
        return errors() == 0 && readAllBack();
    }

    public long errors() {
        return outcome.loaded.errors() + outcome.swept.errors();
    }

    /** The first of them, for people. */
    public @Nullable String firstError() {
        String first = outcome.loaded.firstError();
        return first == null ? outcome.swept.firstError() : first;
    }
}
