package org.verbena.tools.perf;

import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;

/** Reads and atomics: the target's adapter answers, its consumer does nothing. The completion is the answer. */
final class ResponseExchange implements Exchange {
    private final CompletionQueue completions;
    private final Completions batch = new Completions(1);
    private final Tally tally;
    private final Verifier verifier;
    private final Requests requests;

    ResponseExchange(Side side, SideAddress peer, Tally tally) {
        this.completions = side.completions();
        this.tally = tally;
        this.verifier = new Verifier(side, tally);
        this.requests = new Requests(side, peer.landing());
    }

    @Override
    public boolean post(long message) {
        verifier.beforePost(message);
        if (!requests.post(message, true)) {
            throw Exchange.queueFull();
        }
        return true;
    }

    @Override
    public boolean hasArrived(long message) {
        if (completions.poll(batch) == 0 || !tally.accept(batch, 0)) {
            return false;
        }
        verifier.afterCompletion(message);
        return true;
    }

    @Override
    public boolean watchesMemory() {
        return false;
    }
}
