package org.verbena.fabric;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Packet;

/** Packets that a link sends to itself: they do not leave the port. */
final class LoopBack {
    /** Packets on their way. */
    static final int PACKETS_MAX = 256;

    private final ArrayDeque<Packet> idle = new ArrayDeque<>();
    private final ArrayDeque<Packet> arrived = new ArrayDeque<>();
    private int made;

    /** An empty packet; null if too many wait. */
    @Nullable
    Packet take() {
        Packet packet = idle.poll();
        return packet != null || made == PACKETS_MAX ? packet : make();
    }

    private Packet make() {
        made++;
        ByteBuffer bytes = ByteBuffer.allocateDirect(Packet.ROUTE_MAX + Packet.LENGTH_MAX);
        return new Packet().in(MemorySegment.ofBuffer(bytes), bytes).identificationCertain(true);
    }

    /** The packet arrives. */
    void send(Packet packet) {
        arrived.add(packet);
    }

    boolean isEmpty() {
        return arrived.isEmpty();
    }

    /** The next packet that has arrived; null if there is none. */
    @Nullable
    Packet receive() {
        return arrived.poll();
    }

    /** The packet is no longer used. */
    void release(Packet packet) {
        idle.push(packet);
    }
}
