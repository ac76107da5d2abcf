package org.verbena.adapter.ib.datagram;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Engine;
import org.verbena.adapter.ScheduleMark;
import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.adapter.ib.message.UnansweredSends;
import org.verbena.adapter.ib.message.UnreliableQueues;
import org.verbena.adapter.pair.QueuePairTransport;
import org.verbena.adapter.pair.Queues;
import org.verbena.link.Packet;
import org.verbena.link.Path;
import org.verbena.memory.ProtectionDomain;
import org.verbena.queue.EventKind;
import org.verbena.queue.QueuePairState;
import org.verbena.queue.SendSlot;
import org.verbena.queue.Status;
import org.verbena.trace.Counter;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.ib.TransportService;

/** A queue pair with the unreliable datagram service, as the engine sees it. */
public final class DatagramQueuePair implements QueuePairTransport, UnansweredSends.Outlet {
    private final int number;
    private final Engine engine;
    private final ProtectionDomain domain;
    private final UnreliableQueues queues;
    private final DatagramReceiver receiver;
    private final ScheduleMark scheduleMark = new ScheduleMark();
    private DatagramParameters parameters = new DatagramParameters(Mtu.MTU_256, 0, Bth.DEFAULT_PKEY, 0);
    // Of the request admitted last.
    private @Nullable Path path;
    private int destination;
    private int destinationQkey;

    public DatagramQueuePair(int number, Engine engine, ProtectionDomain domain, Queues queues) {
        this.number = number;
        this.engine = engine;
        this.domain = domain;
        this.queues = new UnreliableQueues(this, engine, domain, queues, RequestOpcodes.DATAGRAM, this);
        this.receiver = new DatagramReceiver(engine, this.queues);
    }

    // --- what the consumer asks for

    /** RESET → INIT: takes receives. */
    public void initialize() {
        queues.lifecycle().request(QueuePairState.INIT);
    }

    /** RESET or INIT → RTR → RTS: there is no peer to wait for in between. */
    public void activate(DatagramParameters how) {
        queues.lifecycle().request(QueuePairState.INIT);
        parameters = how;
        queues.readyToReceive();
        queues.readyToSend(how.mtu(), how.firstPsn());
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
        queues.reset();
    }

    // --- what the engine asks for

    @Override
    public int number() {
        return number;
    }

    @Override
    public TransportService service() {
        return TransportService.UD;
    }

    @Override
    public boolean takesPackets() {
        return state().answers();
    }

    @Override
    public boolean comesFromPeer(Packet packet) {
        return true;
    }

    @Override
    public boolean inPartition(int pkey) {
        return Partitions.match(pkey, parameters.pkey());
    }

    @Override
    public ScheduleMark scheduleMark() {
        return scheduleMark;
    }

    @Override
    public void receive(long nowNs, Packet packet, Opcode opcode) {
        if (Deth.qkey(packet.segment(), packet.offset() + opcode.offsetOf(Extension.DETH)) == parameters.qkey()) {
            receiver.receive(packet, opcode);
        } else {
            engine.counters().add(Counter.DROPPED_WRONG_QKEY);
        }
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
        path = engine.destinations().find(SendSlot.addressHandle(slots, slot), domain);
        if (path == null) {
            return Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
        }
        destination = SendSlot.destinationQueuePair(slots, slot);
        int qkey = SendSlot.remoteKey(slots, slot);
        // A key with the top bit set is no key for consumers: it stands for the queue pair's own (10.2.5).
        destinationQkey = qkey < 0 ? parameters.qkey() : qkey;
        return length > parameters.mtu().bytes() ? Status.LOCAL_LENGTH_ERROR : Status.SUCCESS;
    }

    @Override
    public @Nullable Packet begin(Opcode opcode, int payload, int psn, boolean solicited) {
        Path to = path;
        assert to != null : "no request was admitted";
        Packet packet = engine.transmitter().begin(to, opcode, payload, solicited, parameters.pkey(), destination, psn);
        if (packet != null) {
            long deth = (long) packet.offset() + opcode.offsetOf(Extension.DETH);
            Deth.write(packet.segment(), deth, destinationQkey, number);
        }
        return packet;
    }
}
