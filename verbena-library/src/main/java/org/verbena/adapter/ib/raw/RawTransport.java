package org.verbena.adapter.ib.raw;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.Destinations;
import org.verbena.adapter.ib.EtherTypes;
import org.verbena.adapter.ib.PacketReceivers;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.adapter.ib.message.UnreliableTransport;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReadyParameters;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.SendSlot;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/**
 * Sends and receives raw packets of one EtherType for a queue pair. A message is the part of a packet behind the raw header. It
 * takes no packet of a transport service.
 */
public final class RawTransport extends UnreliableTransport implements EtherTypes.Receiver {
    private final RawParameters parameters;
    private final Destinations destinations;
    private final EtherTypes etherTypes;
    private final Transmitter transmitter;
    private final ProtectionTable memory;
    private final Counters counters;
    private final ReceiveQueue receives;
    private @Nullable LinkPath path;

    public RawTransport(
            Pair pair,
            EngineParts parts,
            Transmitter transmitter,
            PacketReceivers receivers,
            Destinations destinations,
            EtherTypes etherTypes,
            RawParameters parameters) {
        super(pair, parts, transmitter, receivers, RequestOpcodes.DATAGRAM);
        this.parameters = parameters;
        this.destinations = destinations;
        this.etherTypes = etherTypes;
        this.transmitter = transmitter;
        this.memory = parts.memory();
        this.counters = parts.counters();
        this.receives = pair.receives();
        beginSending(parameters.mtu(), 0);
    }

    @Override
    public void readyToSend(ReadyParameters none) {}

    @Override
    public void detach() {
        super.detach();
        etherTypes.remove(parameters.etherType(), this);
    }

    // --- for the demultiplexer

    /** A service without packets: those of a transport service have an opcode, raw ones have none. */
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
    public void receive(long nowNs, Packet packet, Opcode opcode) {}

    @Override
    public void receiveRaw(Packet packet) {
        int length = packet.length() - EtherTypes.HEADER_LENGTH;
        if (!pair().state().answers()) {
            counters.add(Counter.DROPPED_WRONG_STATE);
        } else if (!receives.take()) {
            counters.add(Counter.DROPPED_NO_RECEIVE);
        } else if (length > receives.hand().segments().total()) {
            counters.add(Counter.DROPPED_TOO_LONG);
        } else {
            place(packet, length);
        }
    }

    private void place(Packet packet, int length) {
        Verdict verdict = receives.hand()
                .segments()
                .place(
                        memory,
                        pair().rights().localWrite(),
                        0,
                        packet.segment(),
                        packet.offset() + EtherTypes.HEADER_LENGTH,
                        length);
        if (verdict.granted()) {
            onPlaced();
            receives.begin(Operation.RECEIVE, Status.SUCCESS).byteLength(length);
            receives.finish();
        } else if (verdict == Verdict.NOT_RESIDENT) {
            onDroppedForPages(fault -> receives.demand(fault, pair().rights().localWrite(), 0, length, length));
        } else {
            receives.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            pair().fail(EventKind.QUEUE_PAIR_FATAL);
        }
    }

    // --- for the send queue

    @Override
    public Status admit(MemorySegment slots, long slot, long length) {
        path = destinations.find(SendSlot.addressHandle(slots, slot), pair().domain());
        if (path == null || SendSlot.operation(slots, slot) != Operation.SEND) {
            return Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
        }
        return length > parameters.mtu().bytes() ? Status.LOCAL_LENGTH_ERROR : Status.SUCCESS;
    }

    @Override
    public @Nullable Packet begin(Opcode opcode, int payload, int psn, boolean solicited) {
        LinkPath to = path;
        assert to != null : "no request was admitted";
        return transmitter.beginRaw(to, parameters.etherType(), payload);
    }

    @Override
    public int headerLength(Opcode opcode) {
        return EtherTypes.HEADER_LENGTH;
    }
}
