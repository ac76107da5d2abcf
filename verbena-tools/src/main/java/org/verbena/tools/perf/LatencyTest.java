package org.verbena.tools.perf;

import org.verbena.tools.console.StopSign;

/** One message at a time: the time between one answer and the next is a round trip. */
final class LatencyTest implements Initiator {
    private final SideAddress peer;
    private final Target companion;
    private final StopSign stop;
    private final Tally verdicts = new Tally();
    private final Exchange exchange;
    private final Patience patience;
    private long next;

    /** @param companion given turns while nothing has come; {@link Target#ELSEWHERE} if the target has its own thread */
    LatencyTest(Side side, SideAddress peer, Target companion, StopSign stop) {
        this.peer = peer;
        this.companion = companion;
        this.stop = stop;
        this.exchange = Exchange.of(side, peer, verdicts);
        this.patience = new Patience(side, exchange.watchesMemory(), stop);
    }

    @Override
    public void run(Extent extent, Tally tally) {
        long beganNs = System.nanoTime();
        long deadlineNs = extent.deadlineNs(beganNs);
        long limit = extent.limit(next);
        tally.begin(beganNs);
        long nowNs = beganNs;
        while (next < limit && nowNs < deadlineNs && !stop.isRaised()) {
            long thenNs = nowNs;
            if (!roundTrip(next)) {
                break;
            }
            next++;
            nowNs = System.nanoTime();
            tally.time(nowNs - thenNs);
            tally.count(1, nowNs);
        }
        tally.include(verdicts);
    }

    private boolean roundTrip(long message) {
        while (!exchange.post(message)) {
            if (!idle(message)) {
                return false;
            }
        }
        while (!exchange.hasArrived(message)) {
            if (!idle(message)) {
                return false;
            }
        }
        patience.renew();
        return !verdicts.hasFailed();
    }

    private boolean idle(long message) {
        if (verdicts.hasFailed()) {
            return false;
        }
        if (companion.turn() == 0 && !patience.pause()) {
            verdicts.fail("no answer to message " + message + " from "
                    + peer.queuePair().endpoint());
            return false;
        }
        return true;
    }
}
