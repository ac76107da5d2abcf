package org.verbena.wire.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.time.Seed;
import org.verbena.wire.BigEndian;

/** Messages without a capture, and any bytes at all: what is read is written, and reads back the same. */
final class CmMessageTest {
    private static final int ROUNDS = 2_000;

    private final Seed seed = new Seed(12);

    private MemorySegment random(int attribute) {
        byte[] bytes = new byte[Mad.LENGTH];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) seed.nextInt();
        }
        MemorySegment mad = MemorySegment.ofArray(bytes);
        Mad.cm(seed.nextLong(), attribute).write(mad, 0);
        return mad;
    }

    @Test
    void everyMessageReadsBackAsItWasWritten() {
        for (int attribute = Req.ATTRIBUTE; attribute <= Apr.ATTRIBUTE; attribute++) {
            for (int round = 0; round < ROUNDS; round++) {
                MemorySegment mad = random(attribute);
                CmMessage message = CmMessage.read(mad, 0);
                assertNotNull(message);
                assertEquals(attribute, message.attribute());
                MemorySegment again = MemorySegment.ofArray(new byte[Mad.LENGTH]);
                message.writeMad(again, 0, Mad.read(mad, 0).transactionId());
                assertEquals(message, CmMessage.read(again, 0));
                assertEquals(Mad.read(mad, 0), Mad.read(again, 0));
            }
        }
    }

    @Test
    void otherDatagramsAreNotRead() {
        MemorySegment mad = random(Req.ATTRIBUTE);
        assertNotNull(CmMessage.read(mad, 0));
        for (int at = 0; at < 4; at++) {
            int right = BigEndian.readByte(mad, at);
            BigEndian.writeByte(mad, at, right ^ 0x40);
            assertNull(CmMessage.read(mad, 0));
            BigEndian.writeByte(mad, at, right);
        }
        assertNull(CmMessage.read(random(0x0f), 0));
        assertNull(CmMessage.read(random(0x1b), 0));
    }

    /** Table 107 and 108, byte by byte: Linux sent none of these in the captures. */
    @Test
    void acknowledgementAndRejectionHaveTheirFieldsInPlace() {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        new Mra(0x01020304, 0x05060708, Answered.REP, 24, PrivateData.of((byte) 0x99)).writeMad(mad, 0, 1);
        assertEquals(0x0102030405060708L, BigEndian.readLong(mad, 24));
        assertEquals(0x40, BigEndian.readByte(mad, 32));
        assertEquals(24 << 3, BigEndian.readByte(mad, 33));
        assertEquals(0x99, BigEndian.readByte(mad, 34));
        PrivateData guid = PrivateData.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        Rej.of(1, 2, Answered.OTHER, RejectReason.TIMEOUT, PrivateData.of((byte) 0x77))
                .with(guid)
                .writeMad(mad, 0, 1);
        assertEquals(0x80, BigEndian.readByte(mad, 32));
        assertEquals(8 << 1, BigEndian.readByte(mad, 33));
        assertEquals(4, BigEndian.readShort(mad, 34));
        assertEquals(0x0102030405060708L, BigEndian.readLong(mad, 36));
        assertEquals(0x77, BigEndian.readByte(mad, 24 + 84));
    }

    @Test
    void privateDataAreCutOrFilledUpToTheirField() {
        MemorySegment field = MemorySegment.ofArray(new byte[] {9, 9, 9, 9, 9});
        PrivateData.of(new byte[] {1, 2, 3, 4}).write(field, 1, 3);
        assertEquals(PrivateData.of(new byte[] {9, 1, 2, 3, 9}), PrivateData.read(field, 0, 5));
        PrivateData.of((byte) 7).write(field, 1, 3);
        assertEquals(PrivateData.of(new byte[] {9, 7, 0, 0, 9}), PrivateData.of(field.toArray(ValueLayout.JAVA_BYTE)));
        assertEquals(
                PrivateData.of((byte) 7), PrivateData.of(new byte[] {7, 0, 0}).trimmed());
    }

    @Test
    void reasonsHaveTheNumbersOfTheStandard() {
        for (RejectReason reason : RejectReason.values()) {
            assertEquals(reason, RejectReason.of(reason.code()));
        }
        assertEquals(RejectReason.INVALID_SERVICE_ID, RejectReason.of(8));
        assertEquals(RejectReason.STALE_CONNECTION, RejectReason.of(10));
        assertEquals(RejectReason.INVALID_MTU, RejectReason.of(26));
        assertEquals(RejectReason.CONSUMER, RejectReason.of(28));
        assertEquals(RejectReason.INVALID_CLASS_VERSION, RejectReason.of(31));
        assertNull(RejectReason.of(0));
        assertNull(RejectReason.of(34));
    }

    @Test
    void portsHaveTheServiceIdsOfTheirPortSpace() {
        assertEquals(0x0000_0000_0106_1c06L, ServiceId.tcp(7174));
        assertEquals(0x0000_0000_0111_1c06L, ServiceId.udp(7174));
        assertThrows(IllegalArgumentException.class, () -> ServiceId.tcp(65536));
    }
}
