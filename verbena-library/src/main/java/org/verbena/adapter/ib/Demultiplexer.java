package org.verbena.adapter.ib;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.QueuePairTable;
import org.verbena.link.Packet;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/**
 * Finds the queue pair that a packet is for, and checks whether the packet may reach it. The checks stand in the order of cost, the
 * check sum last unless several queue pairs get the packet. A packet that fails a check has no effect but a counter.
 */
public final class Demultiplexer {
    /** Both ECN bits of a traffic class. */
    private static final int CONGESTION_EXPERIENCED = 3;
    /** A packet is a number of words of this many bytes; pad bytes fill the last one. */
    private static final int WORD = 4;

    private final PacketReceivers receivers;
    private final QueuePairTable queuePairs;
    private final Groups groups;
    private final EtherTypes etherTypes;
    private final Counters counters;
    private final Seal seal;
    private @Nullable PacketReceiver receiving;

    /** {@code queuePairs} are all that the engine has, {@code receivers} those that use this port. */
    public Demultiplexer(
            PacketReceivers receivers,
            QueuePairTable queuePairs,
            Groups groups,
            EtherTypes etherTypes,
            Seal seal,
            Counters counters) {
        this.seal = seal;
        this.receivers = receivers;
        this.queuePairs = queuePairs;
        this.groups = groups;
        this.etherTypes = etherTypes;
        this.counters = counters;
    }

    public void receive(long nowNs, Packet packet) {
        counters.add(Counter.RECEIVED_PACKETS);
        counters.add(Counter.RECEIVED_BYTES, packet.length());
        if (packet.raw()) {
            receiveRaw(packet);
            return;
        }
        Opcode opcode = opcodeOf(packet);
        if (opcode == null) {
            return;
        }
        int number = Bth.destinationQueuePair(packet.segment(), packet.offset());
        if (number == Bth.QUEUE_PAIR_MASK) {
            receiveForGroup(nowNs, packet, opcode);
        } else {
            receiveForOne(nowNs, packet, opcode, number);
        }
    }

    /** The receiver that was interrupted while it took a packet; null if there is none. A second call returns null. */
    @Nullable
    public PacketReceiver takeReceiving() {
        PacketReceiver cut = receiving;
        receiving = null;
        return cut;
    }

    private void receiveRaw(Packet packet) {
        EtherTypes.Receiver receiver = etherTypes.find(packet);
        if (receiver == null) {
            counters.add(Counter.DROPPED_UNKNOWN_QUEUE_PAIR);
        } else {
            receiving = receiver;
            receiver.receiveRaw(packet);
            receiving = null;
        }
    }

    private void receiveForOne(long nowNs, Packet packet, Opcode opcode, int number) {
        PacketReceiver receiver = receivers.find(number);
        Counter refusal = receiver == null ? unattached(number) : judge(packet, opcode, receiver);
        if (refusal == null && !seal.isIntact(nowNs, packet)) {
            refusal = Counter.DROPPED_BAD_ICRC;
        }
        if (refusal != null) {
            counters.add(refusal);
        } else if (receiver != null) {
            deliver(nowNs, packet, opcode, receiver);
        }
    }

    /** Why a packet is refused that is for a queue pair which does not use this port now. */
    private Counter unattached(int number) {
        return queuePairs.has(number) ? Counter.DROPPED_WRONG_STATE : Counter.DROPPED_UNKNOWN_QUEUE_PAIR;
    }

    /** Every queue pair that has joined the group the packet was sent to gets it, the sender's own included. */
    private void receiveForGroup(long nowNs, Packet packet, Opcode opcode) {
        int member = groups.next(packet, 0);
        if (member < 0) {
            counters.add(Counter.DROPPED_UNKNOWN_QUEUE_PAIR);
            return;
        }
        // Once for all members: a packet is not damaged several times, nor is its identification a new one each time.
        if (!takes(TransportService.UD, opcode)) {
            counters.add(Counter.DROPPED_WRONG_SERVICE);
            return;
        }
        if (!seal.isIntact(nowNs, packet)) {
            counters.add(Counter.DROPPED_BAD_ICRC);
            return;
        }
        for (; member >= 0; member = groups.next(packet, member + 1)) {
            int number = groups.member(member);
            PacketReceiver receiver = receivers.find(number);
            Counter refusal = receiver == null ? unattached(number) : judge(packet, opcode, receiver);
            if (refusal != null) {
                counters.add(refusal);
            } else if (receiver != null) {
                deliver(nowNs, packet, opcode, receiver);
            }
        }
    }

    private void deliver(long nowNs, Packet packet, Opcode opcode, PacketReceiver receiver) {
        if (opcode == Opcode.CNP) {
            counters.add(Counter.RECEIVED_CONGESTION_NOTIFICATIONS);
            receiver.onCongestion();
            return;
        }
        if ((packet.trafficClass() & CONGESTION_EXPERIENCED) == CONGESTION_EXPERIENCED) {
            counters.add(Counter.MARKED_PACKETS);
            receiver.onMarked(nowNs);
        }
        receiving = receiver;
        receiver.receive(nowNs, packet, opcode);
        receiving = null;
    }

    /** The opcode of a packet of our version, long enough for its headers and padding; null, and counted, for any other. */
    private @Nullable Opcode opcodeOf(Packet packet) {
        if (packet.length() < Bth.LENGTH + seal.length()) {
            counters.add(Counter.DROPPED_TOO_SHORT);
            return null;
        }
        MemorySegment segment = packet.segment();
        Opcode opcode = Opcode.of(Bth.opcode(segment, packet.offset()));
        if (opcode == null) {
            counters.add(Counter.DROPPED_UNKNOWN_OPCODE);
            return null;
        }
        int needed = opcode.headerLength() + Bth.padCount(segment, packet.offset()) + seal.length();
        if (packet.length() < needed) {
            counters.add(Counter.DROPPED_TOO_SHORT);
            return null;
        }
        if ((packet.length() - seal.length()) % WORD != 0) {
            counters.add(Counter.DROPPED_UNPADDED);
            return null;
        }
        if (Bth.version(segment, packet.offset()) != 0) {
            counters.add(Counter.DROPPED_BAD_VERSION);
            return null;
        }
        return opcode;
    }

    /** Why the packet, if it is whole, is not for the queue pair; null if it is. */
    private static @Nullable Counter judge(Packet packet, Opcode opcode, PacketReceiver receiver) {
        if (!takes(receiver.service(), opcode)) {
            return Counter.DROPPED_WRONG_SERVICE;
        }
        if (!receiver.takesPackets()) {
            return Counter.DROPPED_WRONG_STATE;
        }
        if (!receiver.comesFromPeer(packet)) {
            return Counter.DROPPED_WRONG_SOURCE;
        }
        if (!receiver.inPartition(Bth.pkey(packet.segment(), packet.offset()))) {
            return Counter.DROPPED_WRONG_PKEY;
        }
        return null;
    }

    /** Its own packets, and a connection also congestion notifications. */
    private static boolean takes(TransportService service, Opcode opcode) {
        return opcode.service() == service
                || (opcode == Opcode.CNP && (service == TransportService.RC || service == TransportService.UC));
    }
}
