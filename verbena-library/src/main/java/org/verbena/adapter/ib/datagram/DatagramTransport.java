package org.verbena.adapter.ib.datagram;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Status;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.Destinations;
import org.verbena.adapter.ib.PacketReceivers;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.adapter.ib.message.UnreliableTransport;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReadyParameters;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.queue.SendSlot;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.ib.TransportService;

/** The unreliable datagram service of a queue pair. */
public final class DatagramTransport extends UnreliableTransport {
    private final DatagramParameters parameters;
    private final Destinations destinations;
    private final Transmitter transmitter;
    private final Counters counters;
    private final DatagramReceiver receiver;
    // Of the request admitted last.
    private @Nullable LinkPath path;
    private int destination;
    private int destinationQkey;

    public DatagramTransport(
            Pair pair,
            EngineParts parts,
            Transmitter transmitter,
            PacketReceivers receivers,
            Destinations destinations,
            DatagramParameters parameters) {
        super(pair, parts, transmitter, receivers, RequestOpcodes.DATAGRAM);
        this.parameters = parameters;
        this.destinations = destinations;
        this.transmitter = transmitter;
        this.counters = parts.counters();
        this.receiver = new DatagramReceiver(this, parts);
        beginSending(parameters.mtu(), parameters.firstPsn());
    }

    @Override
    public void readyToSend(ReadyParameters none) {}

    // --- for the demultiplexer

    @Override
    public TransportService service() {
        return TransportService.UD;
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
    public void receive(long nowNs, Packet packet, Opcode opcode) {
        if (Deth.qkey(packet.segment(), packet.offset() + opcode.offsetOf(Extension.DETH)) == parameters.qkey()) {
            receiver.receive(packet, opcode);
        } else {
            counters.add(Counter.DROPPED_WRONG_QKEY);
        }
    }

    // --- for the send queue

    @Override
    public Status admit(MemorySegment slots, long slot, long length) {
        path = destinations.find(SendSlot.addressHandle(slots, slot), pair().domain());
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
        LinkPath to = path;
        assert to != null : "no request was admitted";
        Packet packet = transmitter.begin(to, opcode, payload, solicited, parameters.pkey(), destination, psn);
        if (packet != null) {
            long deth = (long) packet.offset() + opcode.offsetOf(Extension.DETH);
            Deth.write(packet.segment(), deth, destinationQkey, number());
        }
        return packet;
    }
}
