package org.verbena.adapter.ib.raw;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Engine;
import org.verbena.adapter.ScheduleMark;
import org.verbena.adapter.ib.EtherTypes;
import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.adapter.ib.message.UnansweredSends;
import org.verbena.adapter.ib.message.UnreliableQueues;
import org.verbena.adapter.pair.QueuePairTransport;
import org.verbena.adapter.pair.Queues;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.link.Packet;
import org.verbena.link.Path;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Verdict;
import org.verbena.queue.EventKind;
import org.verbena.queue.Operation;
import org.verbena.queue.QueuePairState;
import org.verbena.queue.SendSlot;
import org.verbena.queue.Status;
import org.verbena.trace.Counter;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/**
 * A queue pair that sends and receives raw packets of one EtherType. Its messages are what stands behind the raw header;
 * no packet of a transport service is ever for it.
 */
public final class RawQueuePair implements QueuePairTransport, UnansweredSends.Outlet, EtherTypes.Receiver {
    private final int number;
    private final Engine engine;
    private final ProtectionDomain domain;
    private final UnreliableQueues queues;
    private final ReceiveQueue receives;
    private final ScheduleMark scheduleMark = new ScheduleMark();
    private Mtu mtu = Mtu.MTU_256;
    private int etherType = -1;
    private @Nullable Path path;

    public RawQueuePair(int number, Engine engine, ProtectionDomain domain, Queues queues) {
        this.number = number;
        this.engine = engine;
        this.domain = domain;
        this.queues = new UnreliableQueues(this, engine, domain, queues, RequestOpcodes.DATAGRAM, this);
        this.receives = this.queues.receives();
    }

    // --- what the consumer asks for

    /** RESET → INIT → RTR → RTS, for packets of this type. */
    public void activate(int type, Mtu lengthMax) {
        if (!engine.link().carriesRaw()) {
            throw new IllegalStateException("the link (" + engine.link().name()
                    + ") carries no raw packets; only a link within the process does");
        }
        queues.lifecycle().request(QueuePairState.INIT);
        engine.etherTypes().add(type, this);
        etherType = type;
        mtu = lengthMax;
        queues.readyToReceive();
        queues.readyToSend(lengthMax, 0);
    }

    @Override
    public QueuePairState state() {
        return queues.lifecycle().state();
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
        engine.etherTypes().remove(etherType, this);
        queues.reset();
    }

    // --- what the engine asks for

    @Override
    public int number() {
        return number;
    }

    /** None whose packets could arrive here: those are told apart by their opcode, raw ones have none. */
    @Override
    public TransportService service() {
        return TransportService.RD;
    }

    @Override
    public boolean takesPackets() {
        return false;
    }

    @Override
    public boolean comesFromPeer(Packet packet) {
        return false;
    }

    @Override
    public boolean inPartition(int pkey) {
        return false;
    }

    @Override
    public ScheduleMark scheduleMark() {
        return scheduleMark;
    }

    @Override
    public void receive(long nowNs, Packet packet, Opcode opcode) {}

    @Override
    public void onMemoryFault() {
        queues.enterError(EventKind.QUEUE_PAIR_FATAL);
    }

    @Override
    public boolean transmit(long nowNs, int budget) {
        return queues.transmit(budget);
    }

    @Override
    public void receiveRaw(Packet packet) {
        int length = packet.length() - EtherTypes.HEADER_LENGTH;
        if (!state().answers()) {
            engine.counters().add(Counter.DROPPED_WRONG_STATE);
        } else if (!receives.take()) {
            engine.counters().add(Counter.DROPPED_NO_RECEIVE);
        } else if (length > receives.hand().segments().total()) {
            engine.counters().add(Counter.DROPPED_TOO_LONG);
        } else {
            place(packet, length);
        }
    }

    private void place(Packet packet, int length) {
        Verdict verdict = receives.hand()
                .segments()
                .place(
                        engine.memory(),
                        queues.rights().localWrite(),
                        0,
                        packet.segment(),
                        packet.offset() + EtherTypes.HEADER_LENGTH,
                        length);
        if (verdict.granted()) {
            queues.onPlaced();
            receives.begin(Operation.RECEIVE, Status.SUCCESS).byteLength(length);
            receives.finish();
        } else if (verdict == Verdict.NOT_RESIDENT) {
            queues.onDroppedForPages(
                    fault -> receives.demand(fault, queues.rights().localWrite(), 0, length, length));
        } else {
            receives.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            queues.enterError(EventKind.QUEUE_PAIR_FATAL);
        }
    }

    // --- what the send queue asks for

    @Override
    public Status admit(MemorySegment slots, long slot, long length) {
        path = engine.destinations().find(SendSlot.addressHandle(slots, slot), domain);
        if (path == null || SendSlot.operation(slots, slot) != Operation.SEND) {
            return Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
        }
        return length > mtu.bytes() ? Status.LOCAL_LENGTH_ERROR : Status.SUCCESS;
    }

    @Override
    public @Nullable Packet begin(Opcode opcode, int payload, int psn, boolean solicited) {
        Path to = path;
        assert to != null : "no request was admitted";
        return engine.transmitter().beginRaw(to, etherType, payload);
    }

    @Override
    public int headerLength(Opcode opcode) {
        return EtherTypes.HEADER_LENGTH;
    }
}
