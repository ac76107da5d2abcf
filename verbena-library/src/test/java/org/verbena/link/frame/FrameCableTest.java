package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.verbena.link.LinkException;

/** A cable within the process. */
final class FrameCableTest extends FramePortContractTest {
    private static final int HEADER = FramePort.OFFLOAD_HEADER_BYTES;

    private final FrameCable cable = FrameCable.open();

    @Override
    FramePair open() {
        return new FramePair(cable.left(), cable.right());
    }

    /** A frame of TCP that has to be cut. */
    private static MemorySegment toBeCut(int length) {
        MemorySegment memory = Arena.ofAuto().allocate(HEADER + length);
        MemorySegment.copy(FramePair.frame(7, length), 0, memory, JAVA_BYTE, HEADER, length);
        memory.set(JAVA_BYTE, OffloadHeader.FLAGS, (byte) OffloadHeader.NEEDS_CHECKSUM);
        memory.set(JAVA_BYTE, OffloadHeader.SEGMENTATION, (byte) OffloadHeader.TCP_4);
        memory.set(JAVA_SHORT_UNALIGNED, OffloadHeader.SEGMENT_BYTES, (short) 1448);
        memory.set(JAVA_SHORT_UNALIGNED, OffloadHeader.CHECKSUM_START, (short) 34);
        memory.set(JAVA_SHORT_UNALIGNED, OffloadHeader.CHECKSUM_OFFSET, (short) 16);
        return memory;
    }

    @Test
    void aFullQueueDropsAndGoesOnWhenThereIsRoom() {
        FramePort left = cable.left();
        FramePort right = cable.right();
        MemorySegment memory = Arena.ofAuto().allocate(2000);
        MemorySegment.copy(FramePair.frame(3, 1514), 0, memory, JAVA_BYTE, 0, 1514);
        for (int round = 0; round < 5; round++) {
            int sent = 0;
            while (left.send(memory, 0, 1514)) {
                sent++;
            }
            assertTrue(sent > 600 && sent < 700, sent + " frames in 1 MiB");
            assertEquals(round + 1, left.counters().sendDropped());
            MemorySegment taken = Arena.ofAuto().allocate(2000);
            for (int i = 0; i < sent; i++) {
                assertEquals(1514, right.receive(taken, 0, 2000));
                assertEquals(-1, taken.asSlice(0, 1514).mismatch(memory.asSlice(0, 1514)));
            }
            assertEquals(0, right.receive(taken, 0, 2000));
        }
    }

    @Test
    void aCableThatIsPulledIsDownAtBothEnds() {
        try (FramePair pair = open()) {
            assertTrue(pair.send(pair.left, FramePair.frame(1, 60)));
            cable.up(false);
            assertFalse(pair.left.isUp());
            assertFalse(pair.right.isUp());
            assertFalse(pair.send(pair.left, FramePair.frame(2, 60)));
            assertArrayEquals(FramePair.frame(1, 60), pair.receive(pair.right), "was on its way");
            assertNull(pair.receive(pair.right));
            cable.up(true);
            assertTrue(pair.send(pair.left, FramePair.frame(3, 60)));
            assertArrayEquals(FramePair.frame(3, 60), pair.receive(pair.right));
            assertEquals(1, pair.left.counters().sendDropped());
        }
    }

    @Test
    void anEndWithoutCarrierTakesTheOtherOneDown() {
        cable.left().carrier(false);
        assertFalse(cable.right().isUp());
        assertTrue(cable.left().isUp());
        cable.left().carrier(true);
        assertTrue(cable.right().isUp());
        cable.left().close();
        assertFalse(cable.right().isUp());
    }

    @Test
    void aFrameThatIsLongerThanTheMtuIsDropped() {
        try (FramePair pair = open()) {
            assertTrue(pair.send(pair.left, FramePair.frame(1, 1518)), "with room for a VLAN tag");
            assertFalse(pair.send(pair.left, FramePair.frame(1, 1519)));
            pair.left.mtu(9000);
            assertTrue(pair.send(pair.left, FramePair.frame(1, 9018)));
            assertFalse(pair.send(pair.left, FramePair.frame(1, 9019)));
        }
    }

    @Test
    void onlyAnEndWithOffloadsGetsFramesThatHaveToBeCut() {
        MemorySegment large = toBeCut(65_000);
        MemorySegment memory = Arena.ofAuto().allocate(FramePort.FRAME_BYTES_MAX);
        int length = (int) large.byteSize();
        FramePort left = cable.left();
        FramePort right = cable.right();
        left.offloads(true);
        assertFalse(left.send(large, 0, length), "the other end has no offloads");
        right.offloads(true);
        assertTrue(left.send(large, 0, length));
        assertEquals(length, right.receive(memory, 0, FramePort.FRAME_BYTES_MAX));
        assertEquals(-1, memory.asSlice(0, length).mismatch(large));
        assertTrue(left.send(large, 0, length));
        right.offloads(false);
        assertEquals(0, right.receive(memory, 0, FramePort.FRAME_BYTES_MAX));
        assertEquals(1, right.counters().receiveMalformed());
    }

    @Test
    void aHeaderThatDoesNotFitItsFrameIsRefused() {
        FramePort left = cable.left();
        left.offloads(true);
        cable.right().offloads(true);
        MemorySegment sound = toBeCut(100);
        assertTrue(left.send(sound, 0, 110));
        sound.set(JAVA_SHORT_UNALIGNED, OffloadHeader.SEGMENT_BYTES, (short) 0);
        assertFalse(left.send(sound, 0, 110));
        sound.set(JAVA_SHORT_UNALIGNED, OffloadHeader.SEGMENT_BYTES, (short) 10);
        sound.set(JAVA_SHORT_UNALIGNED, OffloadHeader.CHECKSUM_START, (short) 82);
        assertTrue(left.send(sound, 0, 110), "the checksum is in the last two bytes");
        sound.set(JAVA_SHORT_UNALIGNED, OffloadHeader.CHECKSUM_START, (short) 83);
        assertFalse(left.send(sound, 0, 110));
        sound.set(JAVA_SHORT_UNALIGNED, OffloadHeader.CHECKSUM_START, (short) 34);
        sound.set(JAVA_BYTE, OffloadHeader.SEGMENTATION, (byte) 3);
        assertFalse(left.send(sound, 0, 110), "a kind that no port gives");
    }

    @Test
    void anEndKeepsTheEthernetAddressThatItIsGiven() {
        assertEquals(0, cable.left().macAddress());
        cable.left().macAddress(0x02_00_00_00_00_07L);
        assertEquals(0x02_00_00_00_00_07L, cable.left().macAddress());
        assertEquals(0, cable.right().macAddress());
    }

    @Test
    void aCableWithoutOffloadsRefusesThem() {
        FrameCable without = FrameCable.open(FrameCableOptions.defaults().withoutOffloads());
        assertFalse(without.left().canOffload());
        assertThrows(LinkException.class, () -> without.left().offloads(true));
    }

    @Test
    void optionsOutOfRangeAreRefused() {
        FrameCableOptions defaults = FrameCableOptions.defaults();
        assertThrows(LinkException.class, () -> defaults.withMtu(67));
        assertThrows(LinkException.class, () -> defaults.withMtu(65_536));
        assertThrows(LinkException.class, () -> defaults.withQueueBytes(300_000));
        assertThrows(LinkException.class, () -> defaults.withQueueBytes(1 << 17));
    }
}
