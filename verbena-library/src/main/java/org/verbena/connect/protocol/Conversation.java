package org.verbena.connect.protocol;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.time.Timer;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.Answered;
import org.verbena.wire.mad.CmMessage;
import org.verbena.wire.mad.Drep;
import org.verbena.wire.mad.Dreq;
import org.verbena.wire.mad.Mra;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.RejectReason;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.Rtu;

/** One end of one connection, from the first request to the end of timewait. */
public final class Conversation {
    /** Where a conversation stands. What is only passed through within a call is not a state. */
    public enum State {
        /** Asked; waits for the reply. */
        REQ_SENT,
        /** Was asked; the consumer has not answered. */
        REQ_RECEIVED,
        /** Said yes; waits for "ready to use". */
        REP_SENT,
        ESTABLISHED,
        /** Asked for the end; waits for the reply. */
        DREQ_SENT,
        /** Over, but late messages still find it. */
        TIMEWAIT,
        /** Forgotten. */
        ENDED
    }

    /** Code of the time that the peer is asked to wait when its request comes again: 69 s, as Linux says. */
    private static final int SERVICE_TIMEOUT = 24;

    private final Conversations table;
    private final Surroundings world;
    private final Endpoint peer;
    private final int localId;
    private final Timer timer = new Timer(this::onTimer);
    private @Nullable Party party;
    private State state;
    private long transactionId;
    private int remoteId;
    private int localQueuePair;
    private int remoteQueuePair;
    private long remoteGuid;
    private int cmRetries;
    private int triesLeft;
    private long responseNs;
    private int lifeCode;
    private boolean idTold;
    private boolean moreTime;
    private @Nullable Req request;
    private @Nullable CmMessage pending;
    private @Nullable Rtu readiness;

    Conversation(Conversations table, Surroundings world, Endpoint peer, int localId, State state) {
        this.table = table;
        this.world = world;
        this.peer = peer;
        this.localId = localId;
        this.state = state;
    }

    // --- what its owner asks for

    public int localId() {
        return localId;
    }

    public int remoteId() {
        return remoteId;
    }

    public State state() {
        return state;
    }

    public Endpoint peer() {
        return peer;
    }

    /** The request this conversation began with. */
    public Req request() {
        Req known = request;
        assert known != null : "no request in state " + state;
        return known;
    }

    /** Begins: sends the request, again and again until an answer comes. */
    void ask(Party owner, Req req) {
        party = owner;
        request = req;
        transactionId = table.transactionId(localId);
        localQueuePair = req.end().queuePair();
        lifeCode = Codes.life(req.paths().primary().ackTimeout());
        cmRetries = req.timing().cmRetries();
        responseNs = 2 * Codes.lifeNs(lifeCode) + Codes.responseNs(req.timing().remoteResponseTimeout());
        sendUntilAnswered(req);
    }

    void asked(Req req, long transaction) {
        request = req;
        transactionId = transaction;
        remoteId = req.localId();
        remoteQueuePair = req.end().queuePair();
        remoteGuid = req.end().guid();
        lifeCode = Codes.life(req.paths().primary().ackTimeout());
        cmRetries = req.timing().cmRetries();
        responseNs = Codes.responseNs(req.timing().localResponseTimeout());
        world.schedule(timer, world.nowNs() + Codes.responseNs(SERVICE_TIMEOUT));
    }

    /** Says who is to be told from now on. */
    public void owner(Party owner) {
        party = owner;
    }

    /** Says yes. Only after a request that has no answer yet. */
    public void accept(Rep reply) {
        requireState(State.REQ_RECEIVED);
        localQueuePair = reply.end().queuePair();
        state = State.REP_SENT;
        sendUntilAnswered(reply);
    }

    /** Says that the peer's reply has been heard, and that it may send. */
    public void ready(PrivateData privateData) {
        requireState(State.REQ_SENT);
        become(State.ESTABLISHED);
        Rtu rtu = new Rtu(localId, remoteId, privateData);
        readiness = rtu;
        send(rtu);
    }

    /** Says no: to a request, or to a reply that does not fit. */
    public void refuse(RejectReason reason, PrivateData information, PrivateData privateData) {
        // Who was not told this end's id before is not told it now, as Linux does.
        boolean toRequest = state == State.REQ_RECEIVED;
        Rej rej = Rej.of(
                toRequest && !idTold ? 0 : localId,
                remoteId,
                toRequest ? Answered.REQ : Answered.REP,
                reason,
                privateData);
        send(information.length() == 0 ? rej : rej.with(information));
        end();
    }

    /** A packet of the peer's arrived at the queue pair: as good as "ready to use", which may have got lost. */
    public void onCommunication() {
        if (state == State.REP_SENT) {
            become(State.ESTABLISHED);
            owner().onEstablished();
        }
    }

    /** Ends it: an established connection by asking the peer, any other by giving up. The owner of the latter is not told. */
    public void disconnect(PrivateData privateData) {
        switch (state) {
            case ESTABLISHED -> {
                state = State.DREQ_SENT;
                transactionId = table.transactionId(localId);
                sendUntilAnswered(new Dreq(localId, remoteId, remoteQueuePair, privateData));
            }
            case REQ_SENT -> {
                giveUp();
                end();
            }
            case REQ_RECEIVED -> refuse(RejectReason.CONSUMER, PrivateData.NONE, PrivateData.NONE);
            case REP_SENT -> {
                send(Rej.of(localId, remoteId, Answered.OTHER, RejectReason.CONSUMER, PrivateData.NONE));
                enterTimewait();
            }
            case DREQ_SENT, TIMEWAIT, ENDED -> {}
        }
    }

    /** The peer has forgotten this conversation, as a new one of its queue pair shows: the owner is told at once. */
    void stale() {
        if (state == State.DREQ_SENT || state == State.TIMEWAIT || state == State.ENDED) {
            return;
        }
        boolean established = state == State.ESTABLISHED;
        Party told = owner();
        disconnect(PrivateData.NONE);
        party = Nobody.INSTANCE;
        if (established) {
            told.onDisconnected();
        } else {
            told.onTimedOut();
        }
    }

    // --- what the peer says

    void onReply(Rep rep) {
        if (state == State.REQ_SENT) {
            remoteId = rep.localId();
            remoteQueuePair = rep.end().queuePair();
            remoteGuid = rep.end().guid();
            if (!table.know(this)) {
                send(Rej.of(localId, remoteId, Answered.REP, RejectReason.STALE_CONNECTION, PrivateData.NONE));
                return;
            }
            stopSending();
            owner().onReply(rep);
            return;
        }
        world.count(Counter.CM_DUPLICATES);
        Rtu said = readiness;
        if (state == State.ESTABLISHED && said != null && remoteId == rep.localId()) {
            send(said);
        }
    }

    void onReady() {
        if (state == State.REP_SENT) {
            become(State.ESTABLISHED);
            owner().onEstablished();
        } else {
            world.count(Counter.CM_DUPLICATES);
        }
    }

    void onRejection(Rej rej) {
        if (state != State.REQ_SENT && rej.localId() != remoteId) {
            world.count(Counter.CM_DUPLICATES); // a late answer to a copy of the request: somebody has said yes since
            return;
        }
        boolean stale = rej.reason() == RejectReason.STALE_CONNECTION.code();
        switch (state) {
            case REQ_SENT, REQ_RECEIVED, REP_SENT -> {
                if (awaitsPeer(rej)) {
                    return;
                }
                Party told = owner();
                if (stale) {
                    enterTimewait();
                } else {
                    end();
                }
                told.onRefused(rej);
            }
            case ESTABLISHED, DREQ_SENT -> enterTimewait().onDisconnected();
            case TIMEWAIT, ENDED -> world.count(Counter.CM_DUPLICATES);
        }
    }

    /** Peer to peer, the other end may not have begun: that nobody listens there now is no answer. */
    private boolean awaitsPeer(Rej rej) {
        return state == State.REQ_SENT
                && table.isPeerToPeer(this)
                && rej.reason() == RejectReason.INVALID_SERVICE_ID.code();
    }

    void onMoreTime(Mra mra) {
        boolean fits = (state == State.REQ_SENT && mra.answered() == Answered.REQ)
                || (state == State.REP_SENT && mra.answered() == Answered.REP);
        if (!fits || moreTime) {
            world.count(Counter.CM_DUPLICATES);
            return;
        }
        moreTime = true;
        world.schedule(timer, world.nowNs() + Codes.responseNs(mra.serviceTimeout()) + Codes.lifeNs(lifeCode + 1));
    }

    /** The request came again: its sender has not heard the answer. */
    void onRepeatedRequest() {
        world.count(Counter.CM_DUPLICATES);
        switch (state) {
            case REQ_RECEIVED -> {
                idTold = true;
                send(new Mra(localId, remoteId, Answered.REQ, SERVICE_TIMEOUT, PrivateData.NONE));
            }
            case REP_SENT -> repeat();
            case TIMEWAIT ->
                send(Rej.of(localId, remoteId, Answered.REQ, RejectReason.STALE_CONNECTION, PrivateData.NONE));
            default -> {}
        }
    }

    void onDisconnectRequest(Dreq dreq, long transaction) {
        if (dreq.remoteQueuePair() != localQueuePair) {
            world.count(Counter.CM_UNMATCHED);
            return;
        }
        switch (state) {
            case REP_SENT, ESTABLISHED, DREQ_SENT -> {
                boolean unheard = state == State.REP_SENT;
                transactionId = transaction;
                send(new Drep(localId, remoteId, PrivateData.NONE));
                Party told = enterTimewait();
                if (unheard) {
                    told.onEstablished();
                }
                told.onDisconnected();
            }
            case TIMEWAIT -> {
                world.count(Counter.CM_DUPLICATES);
                transactionId = transaction;
                send(new Drep(localId, remoteId, PrivateData.NONE));
            }
            default -> world.count(Counter.CM_UNMATCHED);
        }
    }

    void onDisconnectReply() {
        if (state == State.DREQ_SENT) {
            enterTimewait().onDisconnected();
        } else {
            world.count(Counter.CM_DUPLICATES);
        }
    }

    /** Both ends asked. The one with the larger GUID, or else the larger queue pair number, remains the one who asked. */
    void onPeerRequest(Req theirs, long transaction) {
        Req mine = request();
        int order = Long.compareUnsigned(mine.end().guid(), theirs.end().guid());
        if (order > 0 || (order == 0 && mine.end().queuePair() > theirs.end().queuePair())) {
            repeat(); // the peer is there now
            return;
        }
        stopSending();
        table.forgetPeerToPeer(this);
        state = State.REQ_RECEIVED;
        asked(theirs, transaction);
        if (!table.know(this)) {
            refuse(RejectReason.STALE_CONNECTION, PrivateData.NONE, PrivateData.NONE);
            owner().onTimedOut();
            return;
        }
        owner().onPeerRequest(theirs);
    }

    // --- time

    private void onTimer(long nowNs) {
        switch (state) {
            case TIMEWAIT -> end();
            case REQ_RECEIVED -> {
                // Linux looks for whom a "timeout" is by an id that who asked has not heard yet, and finds nobody.
                refuse(RejectReason.NO_RESOURCES, PrivateData.NONE, PrivateData.NONE);
                owner().onTimedOut();
            }
            case REQ_SENT, REP_SENT, DREQ_SENT -> {
                if (triesLeft > 0) {
                    triesLeft--;
                    moreTime = false;
                    world.count(Counter.CM_RETRIES);
                    repeat();
                    world.schedule(timer, nowNs + responseNs);
                } else {
                    onUnanswered();
                }
            }
            case ESTABLISHED, ENDED -> {}
        }
    }

    private void onUnanswered() {
        if (state == State.DREQ_SENT) {
            enterTimewait().onDisconnected();
            return;
        }
        giveUp();
        Party told = owner();
        if (state == State.REP_SENT) {
            enterTimewait();
        } else {
            end();
        }
        told.onTimedOut();
    }

    /** Tells the peer, should it be there after all, that this end does not wait any more. */
    private void giveUp() {
        send(Rej.of(localId, remoteId, Answered.OTHER, RejectReason.TIMEOUT, PrivateData.NONE)
                .with(table.guidBytes()));
    }

    void close() {
        boolean over = state == State.TIMEWAIT || state == State.ENDED;
        Party told = over ? Nobody.INSTANCE : owner();
        disconnect(PrivateData.NONE);
        world.cancel(timer);
        state = State.ENDED;
        told.onClosed();
    }

    private void sendUntilAnswered(CmMessage message) {
        pending = message;
        triesLeft = cmRetries;
        moreTime = false;
        send(message);
        world.schedule(timer, world.nowNs() + responseNs);
    }

    private void repeat() {
        CmMessage again = pending;
        if (again != null) {
            send(again);
        }
    }

    private void send(CmMessage message) {
        world.send(peer, message, transactionId);
    }

    private void stopSending() {
        pending = null;
        world.cancel(timer);
    }

    private void become(State next) {
        stopSending();
        table.forgetPeerToPeer(this);
        state = next;
    }

    /** Keeps only what late messages need; whose it was until now. */
    private Party enterTimewait() {
        become(State.TIMEWAIT);
        table.forgetQueuePair(this);
        world.schedule(timer, world.nowNs() + Codes.lifeNs(lifeCode + 1));
        Party told = owner();
        party = Nobody.INSTANCE;
        request = null;
        readiness = null;
        return told;
    }

    private void end() {
        become(State.ENDED);
        table.forget(this);
    }

    private Party owner() {
        Party known = party;
        assert known != null : "nobody's conversation in state " + state;
        return known;
    }

    private void requireState(State wanted) {
        if (state != wanted) {
            throw new IllegalStateException("the connection is " + state + ", not " + wanted);
        }
    }

    /** The peer's queue pair. */
    Remote remoteQueuePair() {
        return Remote.queuePair(peer, remoteGuid, remoteQueuePair);
    }
}
