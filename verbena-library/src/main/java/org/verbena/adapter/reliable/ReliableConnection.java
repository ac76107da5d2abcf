package org.verbena.adapter.reliable;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Engine;
import org.verbena.adapter.Peer;
import org.verbena.adapter.ReceiveSource;
import org.verbena.adapter.ScheduleMark;
import org.verbena.adapter.Transport;
import org.verbena.link.Packet;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Right;
import org.verbena.memory.Verdict;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.EventKind;
import org.verbena.queue.Operation;
import org.verbena.queue.QueuePairState;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.queue.Status;
import org.verbena.time.Timer;
import org.verbena.trace.QueuePairStateEvent;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Service;

/**
 * A queue pair with the reliable connection service, as the engine sees it: its state, and the parts that do the work.
 * The engine's thread calls everything but {@link #state()}.
 */
public final class ReliableConnection implements Transport {
    private final int number;
    private final Engine engine;
    private final Ring sendRing;
    private final CompletionRing sendCompletions;
    private final CompletionRing receiveCompletions;
    private final ReceiveSource receives;
    private final AccessRights rights;
    private final ScheduleMark scheduleMark = new ScheduleMark();
    private final RoundTrip roundTrip = new RoundTrip();
    private final Congestion congestion = new Congestion(roundTrip);
    private final Credits credits = new Credits();
    private final Outstanding outstanding;
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private final Retry retry;

    private volatile QueuePairState state = QueuePairState.RESET;
    private @Nullable Peer peer;
    private int mtuBytes;
    private boolean drainAnnounced;
    private long failurePosition = -1;
    private Status failureStatus = Status.SUCCESS;
    private Verdict failureVerdict = Verdict.GRANTED;

    /** What a queue pair is made of: created by its consumer, who posts to the rings and polls the completions. */
    public record Queues(
            Ring sends, ReceiveSource receives, CompletionRing sendCompletions, CompletionRing receiveCompletions) {}

    public ReliableConnection(int number, Engine engine, ProtectionDomain domain, Queues queues) {
        this.number = number;
        this.engine = engine;
        this.sendRing = queues.sends();
        this.receives = queues.receives();
        this.sendCompletions = queues.sendCompletions();
        this.receiveCompletions = queues.receiveCompletions();
        this.rights = new AccessRights(domain, number);
        this.outstanding = new Outstanding(sendRing);
        this.requester = new Requester(this, engine, sendRing, outstanding);
        this.completer = new Completer(this, engine, sendRing, outstanding);
        this.responder = new Responder(this, engine, receives);
        this.retry = new Retry(engine.wheel(), new Timer(this::onTimer), roundTrip);
    }

    // --- what the consumer asks for

    /** The present state. Any thread. */
    public QueuePairState state() {
        return state;
    }

    /** RESET or INIT → INIT: says what peers may do at all. */
    public void initialize(Set<Right> remoteRights) {
        transition(QueuePairState.INIT);
        rights.enable(remoteRights);
    }

    /** INIT → RTR. */
    public void readyToReceive(ReceiveParameters parameters) {
        transition(QueuePairState.READY_TO_RECEIVE);
        peer = parameters.peer();
        mtuBytes = peer.mtu().bytes();
        responder.begin(parameters);
    }

    /** RTR → RTS. */
    public void readyToSend(SendParameters parameters) {
        requireFrom(QueuePairState.READY_TO_RECEIVE, QueuePairState.READY_TO_SEND);
        transition(QueuePairState.READY_TO_SEND);
        outstanding.begin(parameters.firstPsn());
        requester.begin(peer().mtu(), parameters.outstandingReads());
        completer.begin(peer().mtu());
        retry.begin(parameters);
        credits.begin();
        schedule();
    }

    /** RTS → SQD: what is under way is finished, nothing new is begun; an event tells when all is done. */
    public void drain() {
        transition(QueuePairState.SEND_QUEUE_DRAINED);
        drainAnnounced = false;
        schedule();
    }

    /** SQD → RTS. */
    public void resume() {
        requireFrom(QueuePairState.SEND_QUEUE_DRAINED, QueuePairState.READY_TO_SEND);
        transition(QueuePairState.READY_TO_SEND);
        schedule();
    }

    /** Any → ERROR: everything posted comes back flushed. */
    public void abort() {
        if (state != QueuePairState.ERROR) {
            enterError(null);
        }
    }

    /** Any → RESET: everything posted is forgotten. */
    public void reset() {
        become(QueuePairState.RESET);
        retry.stop();
        failurePosition = -1;
        outstanding.discard();
        responder.discard();
        engine.memory().releaseQueuePair(rights.binder());
    }

    /** For a target that has several ways to it, of which this one begins here. */
    private void requireFrom(QueuePairState source, QueuePairState target) {
        if (state != source) {
            throw cannotBecome(target);
        }
    }

    private IllegalStateException cannotBecome(QueuePairState target) {
        return new IllegalStateException("queue pair " + number + " is " + state.label() + " and can't become "
                + target.label() + " from there");
    }

    private void transition(QueuePairState target) {
        if (!state.mayBecome(target)) {
            throw cannotBecome(target);
        }
        become(target);
    }

    private void become(QueuePairState target) {
        QueuePairStateEvent.record(number, state.label(), target.label());
        state = target;
    }

    // --- what the engine asks for

    @Override
    public int number() {
        return number;
    }

    @Override
    public Service service() {
        return Service.RC;
    }

    @Override
    public boolean takesPackets() {
        return state.answers();
    }

    @Override
    public boolean comesFromPeer(Packet packet) {
        return peer().sent(packet);
    }

    @Override
    public boolean inPartition(int pkey) {
        return peer().sharesPartition(pkey);
    }

    @Override
    public ScheduleMark scheduleMark() {
        return scheduleMark;
    }

    @Override
    public void receive(long nowNs, Packet packet, Opcode opcode) {
        if (opcode.isRequest()) {
            responder.receive(packet, opcode);
        } else if (state != QueuePairState.READY_TO_RECEIVE) {
            completer.receive(nowNs, packet, opcode);
        }
    }

    @Override
    public boolean transmit(long nowNs, int budget) {
        return switch (state) {
            case RESET, INIT, SEND_QUEUE_ERROR -> false;
            case READY_TO_RECEIVE -> responder.transmit(budget);
            case READY_TO_SEND, SEND_QUEUE_DRAINED -> {
                boolean requests = requester.transmit(nowNs, budget);
                boolean answers = state.answers() && responder.transmit(budget);
                announceDrained();
                yield requests || answers;
            }
            case ERROR -> {
                flush();
                yield false;
            }
        };
    }

    private void announceDrained() {
        if (isDraining() && !drainAnnounced && !outstanding.anyStarted()) {
            drainAnnounced = true;
            event(EventKind.SEND_QUEUE_DRAINED);
        }
    }

    private void onTimer(long nowNs) {
        switch (retry.onTimer(nowNs)) {
            case NOTHING -> {}
            case RESUME -> schedule();
            case PROBE -> completer.onProbe();
            case TIMEOUT -> completer.onTimeout(nowNs);
        }
    }

    // --- what the parts ask for

    Peer peer() {
        Peer known = peer;
        assert known != null : "no peer in state " + state;
        return known;
    }

    int mtuBytes() {
        return mtuBytes;
    }

    Requester requester() {
        return requester;
    }

    Completer completer() {
        return completer;
    }

    Retry retry() {
        return retry;
    }

    Congestion congestion() {
        return congestion;
    }

    RoundTrip roundTrip() {
        return roundTrip;
    }

    Credits credits() {
        return credits;
    }

    AccessRights rights() {
        return rights;
    }

    boolean isDraining() {
        return state == QueuePairState.SEND_QUEUE_DRAINED;
    }

    /** Whether nothing may be sent now: the receiver is not ready, or a request that can't be done stands next. */
    boolean isHeld() {
        return retry.awaitsReceiver() || (failurePosition >= 0 && outstanding.current() == failurePosition);
    }

    void schedule() {
        engine.scheduler().add(this);
    }

    void event(EventKind kind) {
        engine.events().onEvent(kind, this);
    }

    void onProgress(long nowNs) {
        retry.onProgress(nowNs, outstanding.inFlight() > 0);
        schedule();
    }

    /** The oldest request is done, one way or the other: its consumer is told, its slot is free. */
    void retireOldest(Status status, Verdict verdict) {
        boolean told = completeSend(outstanding.retired(), status, verdict);
        outstanding.retire();
        if (!told) {
            enterError(EventKind.QUEUE_PAIR_FATAL);
        }
    }

    /** Completes a send if its consumer wants to know, or must; false when there was no room to say so. */
    private boolean completeSend(long position, Status status, Verdict verdict) {
        MemorySegment slots = sendRing.memory();
        long slot = sendRing.slot(position);
        if (status.success() && !SendSlot.is(slots, slot, SendSlot.FLAG_SIGNALLED)) {
            return true;
        }
        Operation operation = SendSlot.operation(slots, slot);
        engine.completions()
                .entry()
                .of(number, SendSlot.id(slots, slot), operation, status)
                .detail(verdict.ordinal())
                .byteLength(status.success() ? SendSlot.messageLength(slots, slot) : 0);
        return engine.completions().push(sendCompletions);
    }

    void pushReceiveCompletion() {
        if (!engine.completions().push(receiveCompletions)) {
            enterError(EventKind.QUEUE_PAIR_FATAL);
        }
    }

    // --- failure

    /** The request at this position can't be done: fails when all before it are done. */
    void failWhenReached(long position, Status status, Verdict verdict) {
        failurePosition = position;
        failureStatus = status;
        failureVerdict = verdict;
        failIfReached();
    }

    void failIfReached() {
        if (failurePosition >= 0 && failurePosition == outstanding.retired()) {
            fail(failureStatus, failureVerdict);
        }
    }

    /** The oldest request fails, and the queue pair with it. */
    void fail(Status status, Verdict verdict) {
        if (outstanding.posted() > 0) {
            retireOldest(status, verdict);
        }
        enterError(EventKind.QUEUE_PAIR_FATAL);
    }

    /** To ERROR; an event if it was not the consumer's wish. Later posts come back flushed as well. */
    void enterError(@Nullable EventKind kind) {
        if (state == QueuePairState.ERROR) {
            return;
        }
        become(QueuePairState.ERROR);
        failurePosition = -1;
        retry.stop();
        if (kind != null) {
            event(kind);
        }
        flush();
        if (receives.shared()) {
            event(EventKind.LAST_RECEIVE_REACHED);
        }
    }

    private void flush() {
        for (int left = outstanding.posted(); left > 0; left--) {
            retireOldest(Status.FLUSHED, Verdict.GRANTED);
        }
        outstanding.forgetStarted();
        responder.flush();
    }
}
