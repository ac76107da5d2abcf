package org.verbena.wire.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/** The bytes of data at connect, as docs/reference/data-at-connect.md has them. */
final class DataMessageTest {
    private static final DataMessage.Part PART = new DataMessage.Part(0x11223344, 0x55667788, 401, 7, 2);

    private static MemorySegment mad(DataMessage message) {
        MemorySegment segment = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        message.writeMad(segment, 0, 0x0102030405060708L);
        return segment;
    }

    private static String hex(MemorySegment mad, int from, int to) {
        return HexFormat.of().formatHex(mad.toArray(ValueLayout.JAVA_BYTE), from, to);
    }

    private static PrivateData filledUp(byte... bytes) {
        byte[] all = new byte[DataMessage.PIECE_LENGTH];
        System.arraycopy(bytes, 0, all, 0, bytes.length);
        return PrivateData.of(all);
    }

    @Test
    void aPieceHasTheBytesOfTheReference() {
        MemorySegment mad = mad(new DataPiece(PART, true, PrivateData.of((byte) 0xab)));
        assertEquals("01440102" + "00000000" + "0102030405060708" + "00100000" + "00000000", hex(mad, 0, 24));
        assertEquals("00".repeat(12) + "00025642", hex(mad, 24, 40));
        assertEquals("11223344" + "55667788" + "00000191" + "0007" + "0002" + "ab00", hex(mad, 40, 58));
        assertEquals("03", hex(mad(new DataPiece(PART, false, PrivateData.NONE)), 3, 4));
    }

    @Test
    void anAnswerHasTheFormOfThePieceAndAStatus() {
        DataPiece piece = new DataPiece(PART, true, PrivateData.NONE);
        MemorySegment mad = mad(DataAnswer.refusal(piece, DataAnswer.UNWANTED));
        assertEquals("01440181" + "01000000", hex(mad, 0, 8));
        assertEquals(hex(mad(piece), 24, 56), hex(mad, 24, 56));
        assertEquals("0200", hex(mad(DataAnswer.refusal(piece, DataAnswer.TOO_LONG)), 4, 6));
    }

    @Test
    void messagesReadBackAsTheyWereWritten() {
        for (DataMessage message : new DataMessage[] {
            new DataPiece(PART, true, filledUp((byte) 1)),
            new DataPiece(PART, false, filledUp((byte) 2)),
            new DataAnswer(PART, DataAnswer.TAKEN, filledUp((byte) 3)),
            new DataAnswer(PART, 0x000c, filledUp())
        }) {
            assertEquals(message, DataMessage.read(mad(message), 0));
        }
    }

    @Test
    void eachPieceHasItsBitInTheAnswer() {
        DataAnswer answer = new DataAnswer(PART, DataAnswer.TAKEN, filledUp((byte) 0x80, (byte) 0x01));
        assertTrue(answer.has(0));
        assertFalse(answer.has(1));
        assertFalse(answer.has(8));
        assertTrue(answer.has(15));
        assertFalse(answer.has(327));
    }

    @Test
    void anotherClassVersionMethodAttributeOrVendorIsNotRead() {
        for (int at : new int[] {0, 1, 2, 3, 17, 37, 38, 39}) {
            MemorySegment mad = mad(new DataPiece(PART, true, PrivateData.NONE));
            BigEndian.writeByte(mad, at, BigEndian.readByte(mad, at) ^ 0x40);
            assertNull(DataMessage.read(mad, 0), () -> "byte " + at + " changed");
        }
        MemorySegment reserved = mad(new DataPiece(PART, true, PrivateData.NONE));
        BigEndian.writeByte(reserved, 36, 1);
        assertTrue(DataMessage.read(reserved, 0) instanceof DataPiece, "reserved bits do not count");
    }

    @Test
    void dataAreCutInPiecesOf200Bytes() {
        int[] lengths = {0, 1, 200, 201, 400, 65_536};
        int[] pieces = {1, 1, 1, 2, 2, 328};
        for (int i = 0; i < lengths.length; i++) {
            assertEquals(pieces[i], DataMessage.pieces(lengths[i]));
        }
    }
}
