package org.verbena.connect.protocol;

import org.verbena.link.Endpoint;
import org.verbena.time.Timer;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.SidrRep;
import org.verbena.wire.mad.SidrReq;

/** A question for the queue pair of a service, until its answer. */
public final class Resolution {
    /** Who asked. Called once, on the engine's thread. */
    public interface Asker {
        void onAnswer(SidrRep answer);

        void onTimedOut();

        /** The adapter closes. */
        void onClosed();
    }

    private final Conversations table;
    private final Surroundings world;
    private final Endpoint peer;
    private final SidrReq request;
    private final long transactionId;
    private final Asker asker;
    private final long responseNs;
    private final Timer timer = new Timer(this::onTimer);
    private int triesLeft;

    Resolution(
            Conversations table, Surroundings world, Endpoint peer, SidrReq request, Asker asker, Patience patience) {
        this.table = table;
        this.world = world;
        this.peer = peer;
        this.request = request;
        this.asker = asker;
        this.transactionId = table.transactionId(request.requestId());
        this.responseNs = Codes.responseNs(patience.responseTimeout());
        this.triesLeft = patience.retries();
    }

    /**
     * How long an answer is waited for.
     *
     * @param responseTimeout code of the time before the question is repeated
     * @param retries how often it is
     */
    public record Patience(int responseTimeout, int retries) {}

    void ask() {
        world.send(peer, request, transactionId);
        world.schedule(timer, world.nowNs() + responseNs);
    }

    Endpoint peer() {
        return peer;
    }

    int requestId() {
        return request.requestId();
    }

    void onAnswer(SidrRep answer) {
        cancel();
        asker.onAnswer(answer);
    }

    /** Gives up. The asker is not told. */
    public void cancel() {
        world.cancel(timer);
        table.forget(this);
    }

    void close() {
        world.cancel(timer);
        asker.onClosed();
    }

    private void onTimer(long nowNs) {
        if (triesLeft > 0) {
            triesLeft--;
            world.count(Counter.CM_RETRIES);
            ask();
        } else {
            cancel();
            asker.onTimedOut();
        }
    }
}
