package org.verbena.adapter.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.verbena.link.Framing;
import org.verbena.link.Packet;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ib.Lrh;

/** The seal covers the route headers that stand before a packet, however long they are. */
final class InfiniBandSealTest {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(400);
    private final MemorySegment segment = MemorySegment.ofBuffer(bytes);
    private final Seal seal = Seal.of(Framing.INFINIBAND);

    private Packet packet(int offset, int route, int length) {
        return new Packet().in(segment, bytes).at(offset, length, 0).behind(route);
    }

    @Test
    void theExamplePacketOfTheSpecificationGetsItsCrc() {
        byte[] example = HexFormat.of()
                .parseHex("7012375c000e17d20a2024870087b1b3000dec2a01710a1c015d400238f27a05"
                        + "0000000ebb884d85fd5cfba4728bc0690ed400009625b75a");
        bytes.put(40, example, 0, example.length - 4);
        Packet packet = packet(48, 8, example.length - 8);
        assertFalse(seal.isIntact(0, packet));
        seal.write(packet);
        assertTrue(seal.isIntact(0, packet));
        byte[] sealed = segment.asSlice(40, example.length).toArray(ValueLayout.JAVA_BYTE);
        assertArrayEquals(example, sealed);
        assertEquals(4, seal.length());
    }

    @Test
    void theLocalRouteOfAGlobalPacketMayChangeAndItsGidsMayNot() {
        new Lrh(0, 0, 1, Lrh.NEXT_GRH, 5, 30, 6).write(segment, 0);
        new Grh(6, 7, 8, 72, Grh.NEXT_BTH, 9, 1, 2, 3, 4).write(segment, 8);
        Packet packet = packet(48, 48, 72);
        seal.write(packet);
        new Lrh(2, 0, 3, Lrh.NEXT_GRH, 50, 30, 60).write(segment, 0);
        assertTrue(seal.isIntact(0, packet));
        new Grh(6, 7, 8, 72, Grh.NEXT_BTH, 9, 1, 2, 3, 5).write(segment, 8);
        assertFalse(seal.isIntact(0, packet));
    }

    @Test
    void aCopyOfAPacketKeepsItsRouteAndItsSeal() {
        new Lrh(0, 0, 1, Lrh.NEXT_BTH, 5, 30, 6).write(segment, 40);
        Packet packet = packet(48, 8, 72);
        seal.write(packet);
        ByteBuffer other = ByteBuffer.allocateDirect(100);
        Packet copy = new Packet().in(MemorySegment.ofBuffer(other), other).copy(packet);
        assertEquals(8, copy.routeLength());
        assertTrue(seal.isIntact(0, copy));
    }
}
