package org.verbena.connect.protocol;

import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.link.Endpoint;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.Answered;
import org.verbena.wire.mad.CmMessage;
import org.verbena.wire.mad.DataAnswer;
import org.verbena.wire.mad.DataPiece;
import org.verbena.wire.mad.Drep;
import org.verbena.wire.mad.Dreq;
import org.verbena.wire.mad.Mra;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.Rtu;

/**
 * The state machine of one end of one connection, from the first request to the end of timewait. The engine's thread calls
 * everything; {@code docs/internals/connection-management.md} has the table of states and messages.
 */
public final class Conversation {
    /** The states that last longer than a call. */
    public enum State {
        /** This end has sent a request and waits for the reply. */
        REQ_SENT,
        /** The peer has sent a request; the consumer has not answered it. */
        REQ_RECEIVED,
        /** This end has accepted the peer's request and waits for "ready to use". */
        REP_SENT,
        /** Both ends may send. */
        ESTABLISHED,
        /** This end has asked for the disconnection and waits for the reply. */
        DREQ_SENT,
        /** The connection is over. The conversation stays to answer late messages. */
        TIMEWAIT,
        /** The conversation is in no table any more. */
        ENDED
    }

    private final ConversationTable table;
    private final Identity identity;
    private final Surroundings world;
    private final Endpoint peer;
    private final int localId;
    private final Outbox outbox;
    private @Nullable Party party;
    private State state;
    private int remoteId;
    private int localQueuePair;
    private int remoteQueuePair;
    private long remoteGuid;
    /** Code of the time that a packet lives. */
    private int lifeCode;
    /** Whether the peer knows this end's id. */
    private boolean idTold;

    private @Nullable Req request;
    /** The "ready to use" of this end: sent again when the peer repeats its reply. */
    private @Nullable Rtu readiness;
    /** Data at connect; null if the consumer wants none. */
    private @Nullable DataExchange exchange;

    Conversation(
            ConversationTable table, Identity identity, Surroundings world, Endpoint peer, int localId, State state) {
        this.table = table;
        this.identity = identity;
        this.world = world;
        this.peer = peer;
        this.localId = localId;
        this.state = state;
        this.outbox = new Outbox(world, peer, this::onTimer);
    }

    // --- calls of its owner

    /** This end's id of the connection. */
    public int localId() {
        return localId;
    }

    /** The peer's id of the connection; 0 until the peer has told it. */
    public int remoteId() {
        return remoteId;
    }

    /** The state now. */
    public State state() {
        return state;
    }

    /** The port of the peer. */
    public Endpoint peer() {
        return peer;
    }

    /** Messages sent by this end so far that await an answer, repetitions included. */
    public int messagesSent() {
        return outbox.sent();
    }

    /** The request this conversation began with. Not in timewait and later. */
    public Req request() {
        Req known = request;
        assert known != null : "no request in state " + state;
        return known;
    }

    /** Begins the conversation: sends a request, which is repeated until it is answered. */
    void ask(Party owner, Req req) {
        party = owner;
        request = req;
        localQueuePair = req.end().queuePair();
        lifeCode = Codes.life(req.paths().primary().ackTimeout());
        outbox.transactionId(identity.transactionId(localId));
        outbox.patience(
                2 * Codes.lifeNs(lifeCode) + Codes.responseNs(req.timing().remoteResponseTimeout()),
                req.timing().cmRetries());
        outbox.sendUntilAnswered(req);
    }

    /** Begins the conversation with a request of the peer. */
    void asked(Req req, long transaction) {
        request = req;
        remoteId = req.localId();
        remoteQueuePair = req.end().queuePair();
        remoteGuid = req.end().guid();
        lifeCode = Codes.life(req.paths().primary().ackTimeout());
        outbox.transactionId(transaction);
        outbox.patience(
                Codes.responseNs(req.timing().localResponseTimeout()),
                req.timing().cmRetries());
        outbox.wakeAfter(CmLimits.ANSWER_MAX_NS);
    }

    /** Tells this party what happens from now on. */
    public void owner(Party owner) {
        party = owner;
    }

    /** Exchanges data with the peer as soon as the conversation is established. Called in the turn that begins or accepts the conversation. */
    public DataExchange exchange(PrivateData own, DataExchange.Owner told) {
        var begun = new DataExchange(world, this, table.dataRoom(), own, told);
        exchange = begun;
        return begun;
    }

    /**
     * Accepts the peer's request. The reply is repeated until the peer is ready.
     *
     * @throws IllegalStateException if the state is not {@link State#REQ_RECEIVED}
     */
    public void accept(Rep reply) {
        requireState(State.REQ_RECEIVED);
        localQueuePair = reply.end().queuePair();
        state = State.REP_SENT;
        outbox.sendUntilAnswered(reply);
    }

    /**
     * Tells the peer that its reply has arrived and that it may send.
     *
     * @throws IllegalStateException if the state is not {@link State#REQ_SENT}
     */
    public void ready(PrivateData privateData) {
        requireState(State.REQ_SENT);
        become(State.ESTABLISHED);
        Rtu rtu = new Rtu(localId, remoteId, privateData);
        readiness = rtu;
        send(rtu);
        beginExchange();
    }

    private void beginExchange() {
        DataExchange known = exchange;
        if (known != null) {
            known.begin();
        }
    }

    private void stopExchange() {
        DataExchange known = exchange;
        if (known != null) {
            known.stop();
        }
    }

    /**
     * Rejects the peer's request, or a reply that does not fit, and ends the conversation.
     *
     * @param information what the standard wants with this reason, or nothing
     * @param privateData for the peer's consumer
     */
    public void refuse(RejectReason reason, PrivateData information, PrivateData privateData) {
        // As on Linux, a rejection does not name an id that the peer does not know yet.
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

    /** Takes a packet that arrived at the queue pair for the "ready to use" of the peer, which may be lost. */
    public void onCommunication() {
        if (state == State.REP_SENT) {
            become(State.ESTABLISHED);
            beginExchange();
            owner().onEstablished();
        }
    }

    /**
     * Ends the conversation: an established one by a request for disconnection, any other by a rejection. The owner of an
     * established one is told when the peer has answered; any other owner is not told.
     */
    public void disconnect(PrivateData privateData) {
        switch (state) {
            case ESTABLISHED -> {
                stopExchange();
                state = State.DREQ_SENT;
                outbox.transactionId(identity.transactionId(localId));
                outbox.sendUntilAnswered(new Dreq(localId, remoteId, remoteQueuePair, privateData));
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

    /** Ends a conversation whose peer receives nothing: without a message. The owner is not told. */
    public void drop() {
        end();
    }

    /**
     * Ends the conversation as {@link #disconnect} does, without waiting for the peer: the owner is told at once. For a peer that has
     * forgotten the connection, or may be gone.
     */
    public void abandon() {
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

    // --- messages of the peer

    void onReply(Rep rep) {
        if (state == State.REQ_SENT) {
            remoteId = rep.localId();
            remoteQueuePair = rep.end().queuePair();
            remoteGuid = rep.end().guid();
            if (!table.know(this)) {
                send(Rej.of(localId, remoteId, Answered.REP, RejectReason.STALE_CONNECTION, PrivateData.NONE));
                return;
            }
            outbox.stop();
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
            onCommunication();
        } else {
            world.count(Counter.CM_DUPLICATES);
        }
    }

    /** Whether the peer may not have this end's id yet: no answer of this end is known to have arrived. */
    boolean isUnknownToPeer() {
        return state == State.REQ_RECEIVED || state == State.REP_SENT;
    }

    void onRejection(Rej rej) {
        if (state != State.REQ_SENT && rej.localId() != remoteId) {
            world.count(Counter.CM_DUPLICATES); // a late answer to a copy of the request, which has been accepted since
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

    /** Whether the peer may not have begun yet: peer to peer, a rejection for want of a listener is not an answer. */
    private boolean awaitsPeer(Rej rej) {
        return state == State.REQ_SENT
                && table.isPeerToPeer(this)
                && rej.reason() == RejectReason.INVALID_SERVICE_ID.code();
    }

    void onMoreTime(Mra mra) {
        boolean fits = (state == State.REQ_SENT && mra.answered() == Answered.REQ)
                || (state == State.REP_SENT && mra.answered() == Answered.REP);
        long durationNs = Codes.responseNs(mra.serviceTimeout()) + Codes.lifeNs(lifeCode + 1);
        if (!fits || !outbox.extend(durationNs)) {
            world.count(Counter.CM_DUPLICATES);
        }
    }

    /** The peer has repeated its request: the answer has not reached it. */
    void onRepeatedRequest() {
        world.count(Counter.CM_DUPLICATES);
        switch (state) {
            case REQ_RECEIVED -> {
                idTold = true;
                send(new Mra(localId, remoteId, Answered.REQ, CmLimits.ANSWER_CODE, PrivateData.NONE));
            }
            case REP_SENT -> outbox.repeat();
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
                outbox.transactionId(transaction);
                send(new Drep(localId, remoteId, PrivateData.NONE));
                Party told = enterTimewait();
                if (unheard) {
                    told.onEstablished();
                }
                told.onDisconnected();
            }
            case TIMEWAIT -> {
                world.count(Counter.CM_DUPLICATES);
                outbox.transactionId(transaction);
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

    /** A piece of the peer's data at connect. It names both ids, so the peer has the reply: it counts as "ready to use" too. */
    void onPiece(DataPiece piece) {
        onCommunication();
        if (state != State.ESTABLISHED) {
            world.count(Counter.CM_UNMATCHED);
            return;
        }
        DataExchange known = exchange;
        if (known != null) {
            known.onPiece(piece);
        } else if (piece.wantsAnswer()) {
            world.send(peer, DataAnswer.refusal(piece, DataAnswer.UNWANTED), dataTransaction());
        }
    }

    /** An answer of the peer to a piece of this end's data at connect. */
    void onAnswer(DataAnswer answer) {
        DataExchange known = exchange;
        if (known != null && state == State.ESTABLISHED) {
            known.onAnswer(answer);
        } else {
            world.count(Counter.CM_UNMATCHED);
        }
    }

    /** Id of the transaction of data at connect. */
    long dataTransaction() {
        return identity.transactionId(localId);
    }

    /**
     * Both ends have sent a request (peer to peer). The request of the end with the larger GUID counts; with equal GUIDs, that
     * of the larger queue pair number. The other end takes it as if it had listened.
     */
    void onPeerRequest(Req theirs, long transaction) {
        Req mine = request();
        int order = Long.compareUnsigned(mine.end().guid(), theirs.end().guid());
        if (order > 0 || (order == 0 && mine.end().queuePair() > theirs.end().queuePair())) {
            outbox.repeat(); // the peer is there now
            return;
        }
        outbox.stop();
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
                // Not TIMEOUT: Linux looks for the receiver of a timeout by an id that it has not been told yet.
                refuse(RejectReason.NO_RESOURCES, PrivateData.NONE, PrivateData.NONE);
                owner().onTimedOut();
            }
            case REQ_SENT, REP_SENT, DREQ_SENT -> {
                if (!outbox.retry(nowNs)) {
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

    /** Tells the peer that this end does not wait any more. */
    private void giveUp() {
        send(Rej.of(localId, remoteId, Answered.OTHER, RejectReason.TIMEOUT, PrivateData.NONE)
                .with(identity.guidBytes()));
    }

    /** The adapter closes: tells the peer and the owner. */
    void close() {
        boolean over = state == State.TIMEWAIT || state == State.ENDED;
        Party told = over ? Nobody.INSTANCE : owner();
        disconnect(PrivateData.NONE);
        outbox.stop();
        state = State.ENDED;
        told.onClosed();
    }

    private void send(CmMessage message) {
        outbox.send(message);
    }

    private void become(State next) {
        outbox.stop();
        if (next != State.ESTABLISHED) {
            stopExchange();
        }
        table.forgetPeerToPeer(this);
        state = next;
    }

    /** Keeps only what late messages need, and has no owner any more; gives the owner so far. */
    private Party enterTimewait() {
        become(State.TIMEWAIT);
        table.forgetQueuePair(this);
        outbox.wakeAfter(Codes.lifeNs(lifeCode + 1));
        Party told = owner();
        party = Nobody.INSTANCE;
        request = null;
        readiness = null;
        exchange = null;
        return told;
    }

    private void end() {
        become(State.ENDED);
        table.forget(this);
    }

    private Party owner() {
        Party known = party;
        assert known != null : "no owner in state " + state;
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
