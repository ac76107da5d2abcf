package org.verbena.connect.protocol;

import org.verbena.link.Endpoint;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.SidrRep;
import org.verbena.wire.mad.SidrReq;

/** A question to a peer for the queue pair of a service, from the first message to the answer. */
public final class Resolution {
    /** Told what becomes of the question: one of the methods is called once, on the engine's thread. */
    public interface Asker {
        /** The peer has answered, with a queue pair or with the reason why there is none. */
        void onAnswer(SidrRep answer);

        /** No answer has come. */
        void onTimedOut();

        /** The adapter closes. */
        void onClosed();
    }

    private final Resolutions table;
    private final Surroundings world;
    private final Endpoint peer;
    private final SidrReq request;
    private final long transactionId;
    private final Asker asker;
    private final long responseNs;
    private final WheelTimer timer = new WheelTimer(this::onTimer);
    private int triesLeft;
    private int sent;

    Resolution(
            Resolutions table,
            Surroundings world,
            Endpoint peer,
            SidrReq request,
            long transactionId,
            Asker asker,
            Patience patience) {
        this.table = table;
        this.world = world;
        this.peer = peer;
        this.request = request;
        this.asker = asker;
        this.transactionId = transactionId;
        this.responseNs = Codes.responseNs(patience.responseTimeout());
        this.triesLeft = patience.retries();
    }

    /**
     * The time for an answer.
     *
     * @param responseTimeout code of the time after which the question is repeated
     * @param retries number of repetitions
     */
    public record Patience(int responseTimeout, int retries) {}

    /** Messages sent so far. */
    public int messagesSent() {
        return sent;
    }

    void ask() {
        sent++;
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

    /** Gives the question up. The asker is not told. */
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
