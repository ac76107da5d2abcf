package org.verbena.adapter.ib;

import org.verbena.link.Packet;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/** Takes the packets of one queue pair. The engine's thread calls everything. */
public interface PacketReceiver {
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

    /** Takes a packet whose length, opcode, source and invariant CRC have been checked. Must not throw for any content. */
    void receive(long nowNs, Packet packet, Opcode opcode);

    /** A packet just received was marked by a congested network: its sender is told, where the service can. */
    default void onMarked(long nowNs) {}

    /** The peer tells that packets of this queue pair arrive marked. Only a connection is told so. */
    default void onCongestion() {}

    /** Memory that it was writing for its consumer is gone. The queue pair fails. */
    void onMemoryFault();
}
