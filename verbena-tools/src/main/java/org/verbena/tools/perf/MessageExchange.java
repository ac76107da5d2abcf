package org.verbena.tools.perf;

import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;

/** Sends, and writes with immediate: a receive completes when the peer's message has come. */
final class MessageExchange implements Exchange {
    private final CompletionQueue completions;
    private final Completions batch = new Completions(16);
    private final Tally tally;
    private final Verifier verifier;
    private final Receives receives;
    private final Sends sends;
    private long arrived;

    MessageExchange(Side side, SideAddress peer, Tally tally) {
        this.completions = side.completions();
        this.tally = tally;
        this.verifier = new Verifier(side, tally);
        this.receives = new Receives(side);
        this.sends = new Sends(side, peer, verifier);
    }

    @Override
    public boolean post(long message) {
        if (!sends.hasRoom()) {
            poll();
            return false;
        }
        sends.prepare(message);
        sends.post(message);
        return true;
    }

    @Override
    public boolean hasArrived(long message) {
        if (arrived <= message) {
            poll();
        }
        return arrived > message;
    }

    private void poll() {
        int count = completions.poll(batch);
        for (int i = 0; i < count; i++) {
            if (!tally.accept(batch, i)) {
                return;
            }
            if (batch.operation(i).isReceive()) {
                verifier.afterReceive(arrived, batch.byteLength(i));
                receives.postNext();
                arrived++;
            } else {
                sends.onCompletion();
            }
        }
    }

    @Override
    public boolean watchesMemory() {
        return false;
    }
}
