package org.verbena.adapter.ib.unreliable;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Engine;
import org.verbena.adapter.ScheduleMark;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.message.CongestionNotifier;
import org.verbena.adapter.ib.message.ConnectedTransport;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.adapter.ib.message.UnansweredSends;
import org.verbena.adapter.ib.message.UnreliableQueues;
import org.verbena.adapter.pair.Queues;
import org.verbena.link.Packet;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Right;
import org.verbena.queue.EventKind;
import org.verbena.queue.QueuePairState;
import org.verbena.queue.Status;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/** A queue pair with the unreliable connection service, as the engine sees it. */
public final class UnreliableConnection implements ConnectedTransport, UnansweredSends.Outlet {
    private final int number;
    private final Engine engine;
    private final UnreliableQueues queues;
    private final MessageReceiver receiver;
    private final ScheduleMark scheduleMark = new ScheduleMark();
    private final CongestionNotifier notifier;
    private @Nullable Peer peer;

    public UnreliableConnection(int number, Engine engine, ProtectionDomain domain, Queues queues) {
        this.number = number;
        this.engine = engine;
        this.notifier = new CongestionNotifier(engine);
        this.queues = new UnreliableQueues(this, engine, domain, queues, RequestOpcodes.UNRELIABLE, this);
        this.receiver = new MessageReceiver(engine, this.queues);
    }

    // --- what the consumer asks for

    @Override
    public QueuePairState state() {
        return queues.lifecycle().state();
    }

    @Override
    public void initialize(Set<Right> remoteRights) {
        queues.lifecycle().request(QueuePairState.INIT);
        queues.rights().enable(remoteRights);
    }

    @Override
    public void readyToReceive(ReceiveParameters parameters) {
        queues.readyToReceive();
        peer = parameters.peer();
        receiver.begin(peer.mtu(), parameters.firstPsn());
    }

    @Override
    public void readyToSend(SendParameters parameters) {
        queues.readyToSend(peer().mtu(), parameters.firstPsn());
    }

    @Override
    public void drain() {
        queues.drain();
    }

    @Override
    public void resume() {
        queues.resume();
    }

    @Override
    public void abort() {
        queues.enterError(null);
    }

    @Override
    public void reset() {
        queues.reset();
    }

    // --- what the engine asks for

    @Override
    public int number() {
        return number;
    }

    @Override
    public TransportService service() {
        return TransportService.UC;
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
        queues.onPacket();
        // Who was told of it may have ended the connection.
        if (takesPackets()) {
            receiver.receive(packet, opcode);
        }
    }

    @Override
    public void onMarked(long nowNs) {
        notifier.onMarked(nowNs, peer());
    }

    @Override
    public void onMemoryFault() {
        queues.enterError(EventKind.QUEUE_PAIR_FATAL);
    }

    @Override
    public boolean transmit(long nowNs, int budget) {
        return queues.transmit(budget);
    }

    // --- what the send queue asks for

    @Override
    public Status admit(MemorySegment slots, long slot, long length) {
        return Status.SUCCESS;
    }

    @Override
    public @Nullable Packet begin(Opcode opcode, int payload, int psn, boolean solicited) {
        return engine.transmitter().begin(peer(), opcode, payload, psn, false, solicited);
    }

    private Peer peer() {
        Peer known = peer;
        assert known != null : "no peer in state " + state();
        return known;
    }
}
