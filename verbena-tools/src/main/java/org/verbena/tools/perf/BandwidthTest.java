package org.verbena.tools.perf;

import org.verbena.tools.console.StopSign;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;

/**
 * Keeps as many messages outstanding as the plan says. One in several asks for a completion, which tells of those before
 * it as well: completions come in the order of posting.
 */
final class BandwidthTest implements Initiator {
    private final SideAddress peer;
    private final Target companion;
    private final StopSign stop;
    private final CompletionQueue completions;
    private final Completions batch;
    private final Requests requests;
    private final Tally verdicts = new Tally();
    private final Verifier verifier;
    private final Patience patience;
    private final int depth;
    private final int signalEvery;

    /** Of signalled messages under way: which they are and when they were posted. */
    private final long[] signalledMessages;

    private final long[] signalledNs;
    private long signalsPosted;
    private long signalsTaken;
    private long posted;
    private long completed;
    private long limit;
    private long nowNs;

    /** @param companion given turns between polls; {@link Target#ELSEWHERE} if the target has its own thread */
    BandwidthTest(Side side, SideAddress peer, Target companion, StopSign stop) {
        this.peer = peer;
        this.companion = companion;
        this.stop = stop;
        this.completions = side.completions();
        this.requests = new Requests(side, peer.landing());
        this.verifier = new Verifier(side, verdicts);
        this.patience = new Patience(side, false, stop);
        this.depth = side.plan().depth();
        this.signalEvery = side.plan().verify() ? 1 : side.plan().signalEvery();
        this.batch = new Completions(Math.max(16, depth / signalEvery + 1));
        this.signalledMessages = new long[depth + 1];
        this.signalledNs = new long[depth + 1];
    }

    @Override
    public void run(Extent extent, Tally tally) {
        nowNs = System.nanoTime();
        long deadlineNs = extent.deadlineNs(nowNs);
        limit = extent.limit(posted);
        tally.begin(nowNs);
        while (completed < limit && turn(tally)) {
            if (nowNs >= deadlineNs || stop.isRaised()) {
                endSoon();
            }
        }
        tally.include(verdicts);
    }

    /** The next message that will have a completion anyway is the last. */
    private void endSoon() {
        limit = Math.min(limit, (posted + signalEvery - 1) / signalEvery * signalEvery);
    }

    private boolean turn(Tally tally) {
        post();
        int count = completions.poll(batch);
        int helped = companion.turn();
        nowNs = System.nanoTime();
        if (count > 0) {
            patience.renew();
            return take(count, tally);
        }
        if (helped == 0 && !patience.pause()) {
            verdicts.fail("no completion of message " + completed + " to "
                    + peer.queuePair().endpoint() + " though it was waited for");
            return false;
        }
        return true;
    }

    private void post() {
        while (posted - completed < depth && posted < limit) {
            boolean signalled = (posted + 1) % signalEvery == 0 || posted + 1 == limit;
            verifier.beforePost(posted);
            if (!requests.post(posted, signalled)) {
                return;
            }
            if (signalled) {
                int at = (int) (signalsPosted++ % signalledNs.length);
                signalledMessages[at] = posted;
                signalledNs[at] = nowNs;
            }
            posted++;
        }
    }

    private boolean take(int count, Tally tally) {
        for (int i = 0; i < count; i++) {
            if (!verdicts.accept(batch, i)) {
                return false;
            }
            int at = (int) (signalsTaken++ % signalledNs.length);
            long message = signalledMessages[at];
            verifier.afterCompletion(message);
            tally.time(nowNs - signalledNs[at]);
            tally.count(message + 1 - completed, nowNs);
            completed = message + 1;
        }
        return true;
    }
}
