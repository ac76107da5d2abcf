package org.verbena.adapter.ib.reliable;

import java.util.Locale;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ib.PacketReceiver;
import org.verbena.adapter.ib.PacketReceivers;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.CongestionNotifier;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.Lifecycle;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReadyParameters;
import org.verbena.adapter.pair.RefusedAccess;
import org.verbena.adapter.pair.Transport;
import org.verbena.link.Packet;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.trace.ReceiveMissingEvent;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/** The reliable connection of a queue pair to its peer: the parts that do the work. The engine's thread calls everything. */
public final class ReliableConnection implements Transport, PacketReceiver {
    private final Pair pair;
    private final Lifecycle lifecycle;
    private final Peer peer;
    private final Transmitter transmitter;
    private final PacketReceivers receivers;
    private final Counters counters;
    private final int mtuBytes;
    private final CongestionNotifier notifier;
    private final RoundTrip roundTrip = new RoundTrip();
    private final Patience patience = new Patience(roundTrip);
    private final Congestion congestion = new Congestion(roundTrip);
    private final Credits credits = new Credits();
    private final Outstanding outstanding;
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private final Retry retry;
    private final KeepAlive keepAlive;
    private final PeerPatience peerPatience;

    /** The queue pair has failed or was reset; it may have another connection by now. */
    private boolean stopped;

    private long failurePosition = -1;
    private Status failureStatus = Status.SUCCESS;
    private Verdict failureVerdict = Verdict.GRANTED;
    /** The failure leaves the connection alive. */
    private boolean failureDrains;

    /** A connection that takes the peer's requests; it sends none before {@link #readyToSend}. */
    public ReliableConnection(
            Pair pair,
            EngineParts parts,
            Transmitter transmitter,
            PacketReceivers receivers,
            Peer peer,
            ReceiveParameters parameters) {
        this.pair = pair;
        this.lifecycle = pair.lifecycle();
        this.peer = peer;
        this.transmitter = transmitter;
        this.receivers = receivers;
        this.counters = parts.counters();
        this.mtuBytes = peer.mtu().bytes();
        this.notifier = new CongestionNotifier(transmitter, counters);
        this.outstanding = new Outstanding(pair.sends());
        this.requester = new Requester(this, parts, transmitter, pair, outstanding);
        this.completer = new Completer(this, parts, pair.sends().ring(), outstanding);
        this.responder = new Responder(this, parts, transmitter, pair.receives());
        this.retry = new Retry(parts.wheel(), new WheelTimer(this::onTimer), patience);
        this.keepAlive = new KeepAlive(this, parts, transmitter, outstanding);
        this.peerPatience = new PeerPatience(this, parts);
        responder.begin(parameters);
    }

    // --- for the queue pair

    @Override
    public void readyToSend(ReadyParameters ready) {
        SendParameters parameters = (SendParameters) ready;
        outstanding.begin(parameters.firstPsn());
        requester.begin(peer.mtu(), parameters.outstandingReads());
        completer.begin(peer.mtu());
        roundTrip.begin();
        patience.begin();
        congestion.begin();
        retry.begin(parameters);
        credits.begin();
        keepAlive.begin(parameters.keepaliveNs());
        peerPatience.begin(parameters);
    }

    @Override
    public boolean transmit(long nowNs, int budget) {
        if (lifecycle.is(QueuePairState.READY_TO_RECEIVE)) {
            return responder.transmit(budget);
        }
        if (keepAlive.isDue()) {
            keepAlive.probe();
        }
        boolean requests = requester.transmit(nowNs, budget);
        boolean answers = takesPackets() && responder.transmit(budget);
        return requests || answers || keepAlive.isDue();
    }

    @Override
    public boolean isSending() {
        return outstanding.anyStarted();
    }

    /** A consumer may end the connection as soon as it is told of a message: the peer must be told of the message as well. */
    @Override
    public void answerLast() {
        try {
            responder.transmit(Limits.TRANSMIT_PER_QUEUE_PAIR);
        } catch (InternalError e) {
            // The memory of an answer is gone, see Engine.work. The connection ends all the same.
            counters.add(Counter.MEMORY_FAULTS);
            transmitter.recover();
        }
        transmitter.flush();
    }

    @Override
    public void stop() {
        stopped = true;
        failurePosition = -1;
        retry.stop();
        keepAlive.stop();
        requester.release();
        responder.release();
    }

    @Override
    public void onFlushed() {
        outstanding.forgetStarted();
    }

    @Override
    public void detach() {
        receivers.remove(this);
    }

    // --- for the demultiplexer

    @Override
    public int number() {
        return pair.number();
    }

    @Override
    public TransportService service() {
        return TransportService.RC;
    }

    @Override
    public boolean takesPackets() {
        return !stopped && lifecycle.state().answers();
    }

    @Override
    public boolean comesFromPeer(Packet packet) {
        return peer.sent(packet);
    }

    @Override
    public boolean inPartition(int pkey) {
        return peer.sharesPartition(pkey);
    }

    @Override
    public void receive(long nowNs, Packet packet, Opcode opcode) {
        keepAlive.onHeard();
        if (opcode.isRequest()) {
            responder.receive(packet, opcode);
        } else if (!lifecycle.is(QueuePairState.READY_TO_RECEIVE)) {
            completer.receive(nowNs, packet, opcode);
        }
    }

    @Override
    public void onMarked(long nowNs) {
        notifier.onMarked(nowNs, peer);
    }

    @Override
    public void onCongestion() {
        // In RTR no request was sent that could have met congestion.
        if (!lifecycle.is(QueuePairState.READY_TO_RECEIVE)) {
            congestion.onNotified(outstanding.freshPsn());
        }
    }

    @Override
    public void onMemoryFault() {
        pair.onMemoryFault();
    }

    private void onTimer(long nowNs) {
        if (retry.awaitsReceiver()) {
            reportMissingReceive(nowNs);
        }
        switch (retry.onTimer(nowNs)) {
            case NOTHING -> {}
            case RESUME -> {
                counters.add(Counter.RESUMED_BY_TIMER);
                scheduleResumed();
            }
            case PROBE -> completer.recovery().onProbe(nowNs);
            case TIMEOUT -> completer.recovery().onTimeout(nowNs);
        }
    }

    // --- for the parts

    Peer peer() {
        return peer;
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

    Patience patience() {
        return patience;
    }

    PeerPatience peerPatience() {
        return peerPatience;
    }

    Credits credits() {
        return credits;
    }

    AccessRights rights() {
        return pair.rights();
    }

    boolean isDraining() {
        return !lifecycle.beginsRequests();
    }

    /** Whether no request may be sent now: the receiver is not ready, or the next request cannot be done. */
    boolean isHeld() {
        return retry.awaitsReceiver() || (failurePosition >= 0 && outstanding.current() == failurePosition);
    }

    void schedule() {
        pair.schedule();
    }

    /** Has it served after it waited for a page, here or at the peer. */
    void scheduleResumed() {
        pair.scheduleResumed();
    }

    void event(EventKind kind) {
        pair.event(kind);
    }

    void event(EventKind kind, String detail) {
        pair.event(kind, detail);
    }

    /** Tells the consumer if the peer has had no receive for long. */
    private void reportMissingReceive(long nowNs) {
        ReceiverWait waiting = retry.receiverWait();
        if (!waiting.takeReport(nowNs)) {
            return;
        }
        long waitedNs = waiting.waitedNs(nowNs);
        ReceiveMissingEvent.record(pair.number(), peer.toString(), waitedNs, waiting.refusals());
        pair.event(
                EventKind.RECEIVE_MISSING,
                String.format(
                        Locale.ROOT,
                        "%s has not been ready for %.1f s (%d refusals): it has no receive posted, or a page of it is missing",
                        peer,
                        waitedNs / 1e9,
                        waiting.refusals()));
    }

    void onProgress(long nowNs) {
        retry.onProgress(nowNs, outstanding.inFlight() > 0);
        schedule();
    }

    /** The oldest request is done or has failed: completes it, and frees its slot. */
    void retireOldest(Status status, Verdict verdict) {
        boolean told = pair.sends().retire(status, verdict);
        outstanding.onRetired();
        if (!told) {
            pair.fail(EventKind.QUEUE_PAIR_FATAL);
        }
    }

    // --- failure

    /** The request at this position cannot be done: it fails when all requests before it are done. */
    void failWhenReached(long position, Status status, Verdict verdict) {
        failWhenReached(position, status, verdict, false);
    }

    /** The same; {@code drains} says that only the send queue fails, and the connection stays. */
    void failWhenReached(long position, Status status, Verdict verdict, boolean drains) {
        failureDrains = drains;
        failurePosition = position;
        failureStatus = status;
        failureVerdict = verdict;
        failIfReached();
    }

    /** Whether the connection stays when a local request with this operation fails. */
    boolean survives(Operation operation) {
        return pair.survives(operation);
    }

    void failIfReached() {
        if (failurePosition < 0 || failurePosition != outstanding.retired()) {
            return;
        }
        failurePosition = -1;
        if (failureDrains) {
            retireOldest(failureStatus, failureVerdict);
            pair.failSends();
        } else {
            fail(failureStatus, failureVerdict);
        }
    }

    /** The oldest request fails, and the queue pair with it. */
    void fail(Status status, Verdict verdict) {
        if (outstanding.posted() > 0) {
            retireOldest(status, verdict);
        }
        pair.fail(EventKind.QUEUE_PAIR_FATAL);
    }

    /** The peer asked for memory that it may not touch, and has been told. */
    void onAccessRefused(RefusedAccess refused) {
        refused.fail(pair, peer.toString());
    }

    void enterError(EventKind kind, String detail) {
        pair.fail(kind, detail);
    }
}
