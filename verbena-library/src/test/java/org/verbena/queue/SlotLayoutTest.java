package org.verbena.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;

/** The bytes of every slot: another process may read them, so they change only with the documents. */
final class SlotLayoutTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(256, 64);

    @BeforeEach
    void littleEndian() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "bytes are written down for little endian");
    }

    private String hex(long at, int length) {
        return HexFormat.ofDelimiter(" ").formatHex(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void sendSlot() {
        long slot = 64;
        SendSlot.begin(
                memory,
                slot,
                0x1122_3344_5566_7788L,
                Operation.COMPARE_SWAP,
                SendSlot.FLAG_SIGNALLED | SendSlot.FLAG_SOLICITED);
        SendSlot.segments(memory, slot, 0x0203);
        SendSlot.argument(memory, slot, 0x0a0b_0c0d);
        SendSlot.remote(memory, slot, 0x0102_0304_0506_0708L, 0x1a1b_1c1d);
        SendSlot.messageLength(memory, slot, 0x8000_0000L);
        SendSlot.operands(memory, slot, 0x2122_2324_2526_2728L, 0x3132_3334_3536_3738L);
        SendSlot.newKey(memory, slot, 0x4142_4344);
        SendSlot.counted(memory, slot, 0x5152_5354);
        assertEquals("88 77 66 55 44 33 22 11 07 05 03 02 0d 0c 0b 0a", hex(slot, 16));
        assertEquals("08 07 06 05 04 03 02 01 1d 1c 1b 1a 00 00 00 80", hex(slot + 16, 16));
        assertEquals("28 27 26 25 24 23 22 21 38 37 36 35 34 33 32 31", hex(slot + 32, 16));
        assertEquals("44 43 42 41 54 53 52 51 00 00 00 00 00 00 00 00", hex(slot + 48, 16));
        assertEquals(0x1122_3344_5566_7788L, SendSlot.id(memory, slot));
        assertEquals(Operation.COMPARE_SWAP, SendSlot.operation(memory, slot));
        assertTrue(SendSlot.is(memory, slot, SendSlot.FLAG_SOLICITED));
        assertFalse(SendSlot.is(memory, slot, SendSlot.FLAG_FENCE));
        assertEquals(0x0203, SendSlot.segments(memory, slot));
        assertEquals(0x0a0b_0c0d, SendSlot.argument(memory, slot));
        assertEquals(0x0102_0304_0506_0708L, SendSlot.remoteAddress(memory, slot));
        assertEquals(0x1a1b_1c1d, SendSlot.remoteKey(memory, slot));
        assertEquals(1L << 31, SendSlot.messageLength(memory, slot));
        assertEquals(0x2122_2324_2526_2728L, SendSlot.firstOperand(memory, slot));
        assertEquals(0x3132_3334_3536_3738L, SendSlot.secondOperand(memory, slot));
        assertEquals(0x4142_4344, SendSlot.newKey(memory, slot));
        assertEquals(0x5152_5354, SendSlot.counted(memory, slot));
    }

    @Test
    void flagsOfASend() {
        assertEquals(1, SendSlot.FLAG_SIGNALLED);
        assertEquals(2, SendSlot.FLAG_FENCE);
        assertEquals(4, SendSlot.FLAG_SOLICITED);
        assertEquals(8, SendSlot.FLAG_INLINE);
    }

    @Test
    void sendSlotsHaveRoomForSegmentsOrInlineDataInWholeLines() {
        assertEquals(64, SendSlot.HEADER_LENGTH);
        assertEquals(128, SendSlot.length(1, 0));
        assertEquals(128, SendSlot.length(4, 64));
        assertEquals(192, SendSlot.length(4, 65));
        assertEquals(64 + 512, SendSlot.length(32, 256));
    }

    @Test
    void segment() {
        LocalSegments.write(memory, 16, 0x0102_0304_0506_0708L, 0x8000_0000L, 0x1a1b_1c1d);
        assertEquals("08 07 06 05 04 03 02 01 00 00 00 80 1d 1c 1b 1a", hex(16, 16));
        assertEquals(0x0102_0304_0506_0708L, LocalSegments.address(memory, 16));
        assertEquals(1L << 31, LocalSegments.length(memory, 16));
        assertEquals(0x1a1b_1c1d, LocalSegments.key(memory, 16));
    }

    @Test
    void receiveSlot() {
        ReceiveSlot.begin(memory, 32, 0x1122_3344_5566_7788L, 3);
        ReceiveSlot.counted(memory, 32, 0x5152_5354);
        assertEquals("88 77 66 55 44 33 22 11 03 00 00 00 54 53 52 51", hex(32, 16));
        assertEquals(0x1122_3344_5566_7788L, ReceiveSlot.id(memory, 32));
        assertEquals(3, ReceiveSlot.segments(memory, 32));
        assertEquals(0x5152_5354, ReceiveSlot.counted(memory, 32));
        assertEquals(16 + 5 * 16, ReceiveSlot.length(5));
    }

    @Test
    void completionSlot() {
        var entry = new CompletionEntry()
                .of(0x0012_3456, 0x1122_3344_5566_7788L, Operation.RECEIVE, Status.LOCAL_LENGTH_ERROR)
                .detail(Verdict.OUT_OF_BOUNDS)
                .byteLength(0x8000_0000L)
                .immediate(0x0a0b_0c0d)
                .solicited(true);
        CompletionSlot.write(memory, 0, entry);
        assertEquals("88 77 66 55 44 33 22 11 56 34 12 00 01 0b 05 0b", hex(0, 16));
        assertEquals("00 00 00 80 0d 0c 0b 0a 00 00 00 00 00 00 00 00", hex(16, 16));
        assertEquals(32, CompletionSlot.LENGTH);
        assertEquals(0x1122_3344_5566_7788L, CompletionSlot.id(memory, 0));
        assertEquals(0x12_3456, CompletionSlot.queuePair(memory, 0));
        assertEquals(Status.LOCAL_LENGTH_ERROR, CompletionSlot.status(memory, 0));
        assertEquals(Operation.RECEIVE, CompletionSlot.operation(memory, 0));
        assertEquals(CompletionSlot.FLAG_IMMEDIATE | CompletionSlot.FLAG_SOLICITED, CompletionSlot.flags(memory, 0));
        assertEquals(0x0b, CompletionSlot.detail(memory, 0));
        assertEquals(1L << 31, CompletionSlot.byteLength(memory, 0));
        assertEquals(0x0a0b_0c0d, CompletionSlot.argument(memory, 0));
    }

    @Test
    void sendSlotOfADatagram() {
        SendSlot.destination(memory, 64, 0x0102_0304, 0x0012_3456, 0x1a1b_1c1d);
        assertEquals("04 03 02 01 56 34 12 00 1d 1c 1b 1a 00 00 00 00", hex(64 + 16, 16));
        assertEquals(0x0102_0304, SendSlot.addressHandle(memory, 64));
        assertEquals(0x12_3456, SendSlot.destinationQueuePair(memory, 64));
        assertEquals(0x1a1b_1c1d, SendSlot.remoteKey(memory, 64));
    }

    @Test
    void completionSlotOfADatagram() {
        CompletionSlot.write(
                memory,
                0,
                new CompletionEntry()
                        .of(1, 2, Operation.RECEIVE, Status.SUCCESS)
                        .from(0x00ab_cdef));
        assertEquals("02 00 00 00 00 00 00 00 01 00 00 00 00 0b 08 00", hex(0, 16));
        assertEquals("00 00 00 00 00 00 00 00 ef cd ab 00 00 00 00 00", hex(16, 16));
        assertEquals(CompletionSlot.FLAG_DATAGRAM, CompletionSlot.flags(memory, 0));
        assertEquals(0xab_cdef, CompletionSlot.sourceQueuePair(memory, 0));
    }

    @Test
    void anEntryThatIsUsedAgainForgetsWhatItHad() {
        var entry = new CompletionEntry()
                .of(1, 2, Operation.RECEIVE, Status.SUCCESS)
                .invalidated(7)
                .byteLength(9)
                .detail(Verdict.WRONG_INSTANCE)
                .from(6)
                .solicited(true);
        CompletionSlot.write(memory, 0, entry.of(4, 5, Operation.SEND, Status.SUCCESS));
        assertEquals("05 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00", hex(0, 16));
        assertEquals("00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", hex(16, 16));
    }
}
