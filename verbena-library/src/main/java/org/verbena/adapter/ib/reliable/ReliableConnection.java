package org.verbena.adapter.ib.reliable;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Engine;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ScheduleMark;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.message.CongestionNotifier;
import org.verbena.adapter.ib.message.ConnectedTransport;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.Lifecycle;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.adapter.pair.Queues;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.adapter.pair.SendCompletions;
import org.verbena.link.Packet;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Right;
import org.verbena.memory.Verdict;
import org.verbena.queue.EventKind;
import org.verbena.queue.QueuePairState;
import org.verbena.queue.Status;
import org.verbena.time.Timer;
import org.verbena.trace.Counter;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/**
 * A queue pair with the reliable connection service, as the engine sees it: its state, and the parts that do the work.
 * The engine's thread calls everything but {@link #state()}.
 */
public final class ReliableConnection implements ConnectedTransport {
    private final int number;
    private final Engine engine;
    private final Lifecycle lifecycle;
    private final SendCompletions sendCompletions;
    private final ReceiveQueue receives;
    private final AccessRights rights;
    private final ScheduleMark scheduleMark = new ScheduleMark();
    private final CongestionNotifier notifier;
    private final RoundTrip roundTrip = new RoundTrip();
    private final Congestion congestion = new Congestion(roundTrip);
    private final Credits credits = new Credits();
    private final Outstanding outstanding;
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private final Retry retry;

    private @Nullable Peer peer;
    private int mtuBytes;
    private long failurePosition = -1;
    private Status failureStatus = Status.SUCCESS;
    private Verdict failureVerdict = Verdict.GRANTED;

    public ReliableConnection(int number, Engine engine, ProtectionDomain domain, Queues queues) {
        this.number = number;
        this.engine = engine;
        this.notifier = new CongestionNotifier(engine);
        this.lifecycle = new Lifecycle(number, queues.sends());
        this.sendCompletions =
                new SendCompletions(number, queues, engine.completions(), new OperationCount(engine.memory(), domain));
        this.receives = new ReceiveQueue(number, queues, engine.completions(), this::onOverrun);
        this.rights = new AccessRights(domain, number);
        this.outstanding = new Outstanding(queues.sends());
        this.requester = new Requester(this, engine, queues.sends(), outstanding);
        this.completer = new Completer(this, engine, queues.sends(), outstanding);
        this.responder = new Responder(this, engine, receives);
        this.retry = new Retry(engine.wheel(), new Timer(this::onTimer), roundTrip);
    }

    // --- what the consumer asks for

    @Override
    public QueuePairState state() {
        return lifecycle.state();
    }

    @Override
    public void initialize(Set<Right> remoteRights) {
        lifecycle.request(QueuePairState.INIT);
        rights.enable(remoteRights);
    }

    @Override
    public void readyToReceive(ReceiveParameters parameters) {
        lifecycle.request(QueuePairState.READY_TO_RECEIVE);
        peer = parameters.peer();
        mtuBytes = peer.mtu().bytes();
        responder.begin(parameters);
    }

    @Override
    public void readyToSend(SendParameters parameters) {
        lifecycle.requestReadyToSend();
        outstanding.begin(parameters.firstPsn());
        requester.begin(peer().mtu(), parameters.outstandingReads());
        completer.begin(peer().mtu());
        roundTrip.begin();
        congestion.begin();
        retry.begin(parameters);
        credits.begin();
        schedule();
    }

    @Override
    public void drain() {
        lifecycle.requestDrain();
        schedule();
    }

    @Override
    public void resume() {
        lifecycle.requestResume();
        schedule();
    }

    @Override
    public void abort() {
        answerLast();
        enterError(null);
    }

    /** A consumer may be done with it as soon as it is told of a message: the peer must be told of it as well. */
    private void answerLast() {
        if (takesPackets()) {
            responder.transmit(Limits.TRANSMIT_PER_QUEUE_PAIR);
            engine.link().flush();
        }
    }

    @Override
    public void reset() {
        answerLast();
        lifecycle.become(QueuePairState.RESET);
        retry.stop();
        release();
        failurePosition = -1;
        outstanding.discard(sendCompletions);
        receives.discard();
        engine.memory().releaseQueuePair(rights.binder());
    }

    // --- what the engine asks for

    @Override
    public int number() {
        return number;
    }

    @Override
    public TransportService service() {
        return TransportService.RC;
    }

    @Override
    public boolean takesPackets() {
        return state().answers();
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
        } else if (!lifecycle.is(QueuePairState.READY_TO_RECEIVE)) {
            completer.receive(nowNs, packet, opcode);
        }
    }

    @Override
    public void onMarked(long nowNs) {
        notifier.onMarked(nowNs, peer());
    }

    @Override
    public void onCongestion() {
        // Before that nothing was sent that could have met congestion.
        if (!lifecycle.is(QueuePairState.READY_TO_RECEIVE)) {
            congestion.onNotified(outstanding.freshPsn());
        }
    }

    @Override
    public void onMemoryFault() {
        enterError(EventKind.QUEUE_PAIR_FATAL);
    }

    @Override
    public boolean transmit(long nowNs, int budget) {
        return switch (state()) {
            case RESET, INIT, SEND_QUEUE_ERROR -> false;
            case READY_TO_RECEIVE -> responder.transmit(budget);
            case READY_TO_SEND, SEND_QUEUE_DRAINED -> {
                boolean requests = requester.transmit(nowNs, budget);
                boolean answers = state().answers() && responder.transmit(budget);
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
        if (lifecycle.takeDrained(outstanding.anyStarted())) {
            event(EventKind.SEND_QUEUE_DRAINED);
        }
    }

    private void onTimer(long nowNs) {
        switch (retry.onTimer(nowNs)) {
            case NOTHING -> {}
            case RESUME -> {
                engine.counters().add(Counter.RESUMED_BY_TIMER);
                scheduleResumed();
            }
            case PROBE -> completer.onProbe(nowNs);
            case TIMEOUT -> completer.onTimeout(nowNs);
        }
    }

    // --- what the parts ask for

    Peer peer() {
        Peer known = peer;
        assert known != null : "no peer in state " + state();
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
        return lifecycle.isDraining();
    }

    /** Whether nothing may be sent now: the receiver is not ready, or a request that can't be done stands next. */
    boolean isHeld() {
        return retry.awaitsReceiver() || (failurePosition >= 0 && outstanding.current() == failurePosition);
    }

    void schedule() {
        engine.scheduler().add(this);
    }

    /** It waited for a page, here or at the peer, or tells the peer of one. */
    void scheduleResumed() {
        engine.scheduler().addResumed(this);
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
        boolean told = sendCompletions.complete(outstanding.retired(), status, verdict);
        outstanding.retire();
        if (!told) {
            onOverrun();
        }
    }

    private void onOverrun() {
        enterError(EventKind.QUEUE_PAIR_FATAL);
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
        if (lifecycle.is(QueuePairState.ERROR)) {
            return;
        }
        lifecycle.become(QueuePairState.ERROR);
        failurePosition = -1;
        retry.stop();
        release();
        if (kind != null) {
            event(kind);
        }
        flush();
        if (receives.source().shared()) {
            event(EventKind.LAST_RECEIVE_REACHED);
        }
    }

    /** Keeps no pages and waits for none. */
    private void release() {
        requester.release();
        responder.release();
    }

    private void flush() {
        for (int left = outstanding.posted(); left > 0; left--) {
            retireOldest(Status.FLUSHED, Verdict.GRANTED);
        }
        outstanding.forgetStarted();
        receives.flush();
    }
}
