package org.verbena.tools.perf;

import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;

/** The target of one-sided operations: its adapter does everything. Its turns drive the engine unless the engine has a thread. */
final class PassiveTarget implements Target {
    private final CompletionQueue completions;
    private final Completions batch = new Completions(1);
    private final Tally tally;

    PassiveTarget(Side side, Tally tally) {
        this.completions = side.completions();
        this.tally = tally;
    }

    @Override
    public int turn() {
        int count = completions.poll(batch);
        if (count > 0) {
            tally.accept(batch, 0);
        }
        return count;
    }

    @Override
    public boolean needsConsumer() {
        return false;
    }

    @Override
    public boolean watchesMemory() {
        return false;
    }
}
