package org.verbena.tools.perf;

/**
 * The sending half of an end that exchanges messages one at a time: posts them, and counts completions so that no slot is
 * written that a message may still be sent from. One thread.
 */
final class Sends {
    private final Requests requests;
    private final Verifier verifier;
    private final int sourceSlots;
    private final int signalEvery;
    private long signalled;
    private long completed;

    Sends(Side side, SideAddress peer, Verifier verifier) {
        this.requests = new Requests(side, peer.landing());
        this.verifier = verifier;
        this.sourceSlots = side.layout().sourceSlots();
        // Data that was copied at the post needs no completion to be changed.
        this.signalEvery = side.plan().isInline() ? 16 : 1;
    }

    Requests requests() {
        return requests;
    }

    /** Whether the slot of the next message is free. */
    boolean hasRoom() {
        return signalled - completed < (signalEvery == 1 ? sourceSlots : 2);
    }

    /** Makes a message's content; {@link #post} follows. */
    void prepare(long message) {
        verifier.beforePost(message);
    }

    void post(long message) {
        boolean signal = signalEvery == 1 || message % signalEvery == 0;
        if (!requests.post(message, signal)) {
            throw Exchange.queueFull();
        }
        if (signal) {
            signalled++;
        }
    }

    void onCompletion() {
        completed++;
    }
}
