package org.verbena.simulation;

import java.lang.foreign.MemorySegment;
import org.verbena.link.Packet;
import org.verbena.time.NanoClock;
import org.verbena.wire.BigEndian;

/**
 * A hash of all that happened: every packet an adapter sent, with its time, and every completion a consumer got. What
 * depends on where the machine put the memory, addresses in headers and thereby the CRC, is left out.
 */
final class Trace {
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final NanoClock clock;
    private long hash = 1;
    private long packets;

    Trace(NanoClock clock) {
        this.clock = clock;
    }

    /** An adapter has sent a packet: its base transport header counts, its length and its time. */
    void onPacket(Packet packet) {
        packets++;
        MemorySegment segment = packet.segment();
        add(clock.nowNs());
        add(packet.length());
        add(BigEndian.readInt(segment, packet.offset()));
        add(BigEndian.readInt(segment, packet.offset() + 4L));
        add(BigEndian.readInt(segment, packet.offset() + 8L));
    }

    /** Something else that a repetition must show at the same place. */
    void add(long value) {
        hash = Long.rotateLeft((hash ^ value) * MULTIPLIER, 29);
    }

    long hash() {
        return hash;
    }

    long packets() {
        return packets;
    }
}
