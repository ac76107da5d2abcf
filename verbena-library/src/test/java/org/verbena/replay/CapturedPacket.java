package org.verbena.replay;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.exchange.WirePacket;
import org.verbena.link.Endpoint;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Opcode;

/**
 * A packet of a capture.
 *
 * @param fields its fields, with the sequence number of the wire
 * @param bytes BTH to invariant CRC
 */
record CapturedPacket(
        long timeNs,
        Endpoint source,
        Endpoint target,
        int identification,
        int queuePair,
        WirePacket fields,
        ByteBuffer bytes) {
    static CapturedPacket of(long timeNs, Endpoint source, Endpoint target, int identification, ByteBuffer bytes) {
        MemorySegment segment = MemorySegment.ofBuffer(bytes);
        return new CapturedPacket(
                timeNs,
                source,
                target,
                identification,
                Bth.destinationQueuePair(segment, 0),
                WirePacket.read(segment, 0, bytes.capacity(), Bth.psn(segment, 0)),
                bytes);
    }

    Opcode opcode() {
        return fields.opcode();
    }

    int psn() {
        return fields.psn();
    }

    boolean isRequest() {
        return opcode().isRequest();
    }

    /** Whether its invariant CRC is right for what is known of its headers. */
    boolean isIntact() {
        return Icrc.read(MemorySegment.ofBuffer(bytes), bytes.capacity() - Icrc.LENGTH) == icrc(bytes, identification);
    }

    /** The same packet with some of its bytes changed, if at all, as a link that identifies nothing sends it. */
    CapturedPacket sealedAgain(ByteBuffer changed) {
        ByteBuffer copy = ByteBuffer.allocate(changed.capacity()).put(0, changed, 0, changed.capacity());
        Icrc.write(MemorySegment.ofBuffer(copy), copy.capacity() - Icrc.LENGTH, icrc(copy, 0));
        return of(timeNs, source, target, 0, copy);
    }

    private int icrc(ByteBuffer packet, int with) {
        ByteBuffer direct = ByteBuffer.allocateDirect(packet.capacity()).put(0, packet, 0, packet.capacity());
        return new Icrc()
                .compute(
                        direct,
                        0,
                        packet.capacity() - Icrc.LENGTH,
                        source.high(),
                        source.low(),
                        target.high(),
                        target.low(),
                        source.port(),
                        target.port(),
                        with);
    }
}
