package org.verbena.adapter;

import org.verbena.adapter.ib.Transmitter;
import org.verbena.link.Packet;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/** The engine's side of one queue pair: takes its packets and moves its work. The engine's thread calls everything. */
public interface Transport {
    /** Number of the queue pair, 24 bits. */
    int number();

    /** The service whose packets it takes. */
    TransportService service();

    /** Whether packets are taken in the present state. */
    boolean takesPackets();

    /** Whether a packet with this source address can be the peer's. */
    boolean comesFromPeer(Packet packet);

    /** Whether a packet with this partition key is for this queue pair. */
    boolean inPartition(int pkey);

    /** A packet whose length, opcode, source and invariant CRC have been checked. Must not throw for any content. */
    void receive(long nowNs, Packet packet, Opcode opcode);

    /** A packet just received was marked by a congested network: its sender is told, where the service can. */
    default void onMarked(long nowNs) {}

    /** The peer tells that packets of this queue pair come marked. Only a connection is told so. */
    default void onCongestion() {}

    /** Memory it was just reading or writing for its consumer is not there any more: it can't go on. */
    default void onMemoryFault() {}

    /**
     * Sends what there is to send, at most for about {@code budget} of effort ({@link Transmitter#effort}).
     *
     * @return whether it wants another turn: it stopped for the budget or the link, not for want of work
     */
    boolean transmit(long nowNs, int budget);

    /** The engine's place for it in the list of those that have work. */
    ScheduleMark scheduleMark();
}
