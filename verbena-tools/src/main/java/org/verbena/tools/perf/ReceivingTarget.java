package org.verbena.tools.perf;

import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;

/** Takes messages and posts each receive again. */
final class ReceivingTarget implements Target {
    private final CompletionQueue completions;
    private final Completions batch;
    private final Tally tally;
    private final Verifier verifier;
    private final Receives receives;
    private long received;

    ReceivingTarget(Side side, Tally tally) {
        this.completions = side.completions();
        this.batch = new Completions(side.layout().receives());
        this.tally = tally;
        this.verifier = new Verifier(side, tally);
        this.receives = new Receives(side);
    }

    @Override
    public int turn() {
        int count = completions.poll(batch);
        for (int i = 0; i < count && tally.accept(batch, i); i++) {
            verifier.afterReceive(received++, batch.byteLength(i));
            receives.postNext();
        }
        return count;
    }

    @Override
    public boolean needsConsumer() {
        return true;
    }

    @Override
    public boolean watchesMemory() {
        return false;
    }
}
