package org.verbena.wire.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

/** Every header record: what is written is read again, and the bytes are where the RFCs have them. */
final class IwarpHeaderTest {
    private static final int AT = 3;

    private final MemorySegment segment = MemorySegment.ofArray(new byte[80]);
    private final Seed seed = new Seed(5044);

    private void expectBytes(String hex) {
        byte[] expected = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertArrayEquals(expected, segment.asSlice(AT, expected.length).toArray(ValueLayout.JAVA_BYTE));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void framesHaveTheirFieldsInPlace() {
        new MpaHeader(false, true, false, false, true, 2, 0x1234).write(segment, AT);
        expectBytes(hex("MPA ID Req Frame") + "90 02 1234");
        new MpaHeader(true, false, true, true, false, 1, 512).write(segment, AT);
        expectBytes(hex("MPA ID Rep Frame") + "60 01 0200");
        new MpaDepths(true, false, 5, false, true, 0x3fff).write(segment, AT);
        expectBytes("8005 7fff");
        new MpaDepths(false, true, 0, true, false, 1).write(segment, AT);
        expectBytes("4000 8001");
        new Marker(0x1234).write(segment, AT);
        expectBytes("0000 1234");
    }

    @Test
    void framesAreReadAsWritten() {
        for (int i = 0; i < 1000; i++) {
            MpaHeader header = new MpaHeader(
                    seed.nextBoolean(),
                    seed.nextBoolean(),
                    seed.nextBoolean(),
                    seed.nextBoolean(),
                    seed.nextBoolean(),
                    seed.nextInt(256),
                    seed.nextInt(65536));
            header.write(segment, AT);
            assertEquals(header, MpaHeader.read(segment, AT));
            assertEquals(header.reply(), MpaHeader.isReply(segment, AT));
            assertEquals(!header.reply(), MpaHeader.isRequest(segment, AT));
            MpaDepths depths = new MpaDepths(
                    seed.nextBoolean(),
                    seed.nextBoolean(),
                    seed.nextInt(1 << 14),
                    seed.nextBoolean(),
                    seed.nextBoolean(),
                    seed.nextInt(1 << 14));
            depths.write(segment, AT);
            assertEquals(depths, MpaDepths.read(segment, AT));
        }
    }

    @Test
    void bytesWithoutAKeyAreNoFrame() {
        new MpaHeader(false, false, false, false, false, 1, 0).write(segment, AT);
        for (int i = 0; i < MpaHeader.KEY_LENGTH; i++) {
            byte right = segment.get(ValueLayout.JAVA_BYTE, AT + i);
            segment.set(ValueLayout.JAVA_BYTE, AT + i, (byte) (right ^ 0x20));
            assertNull(MpaHeader.read(segment, AT), "byte " + i);
            segment.set(ValueLayout.JAVA_BYTE, AT + i, right);
        }
    }

    @Test
    void segmentsHaveTheirFieldsInPlace() {
        new TaggedHeader(DdpControl.of(RdmapOpcode.READ_RESPONSE, true), 0x01020304, 0x1112131415161718L)
                .write(segment, AT);
        expectBytes("c1 42 01020304 1112131415161718");
        new UntaggedHeader(DdpControl.of(RdmapOpcode.SEND_SOLICITED_INVALIDATE, false), 0x01020304, 0, 7, 0xfffffffe)
                .write(segment, AT);
        expectBytes("01 46 01020304 00000000 00000007 fffffffe");
        TaggedHeader.write(segment, AT, RdmapOpcode.WRITE, false, 1, 2);
        expectBytes("81 40 00000001 0000000000000002");
        UntaggedHeader.write(segment, AT, RdmapOpcode.ATOMIC_RESPONSE, true, 0, 9, 0);
        expectBytes("41 4b 00000000 00000003 00000009 00000000");
        new ReadRequest(1, 2, 3, 4, 5).write(segment, AT);
        expectBytes("00000001 0000000000000002 00000003 00000004 0000000000000005");
        new AtomicRequest(2, 1, 3, 4, 5, 6, 7, 8).write(segment, AT);
        expectBytes("00000002 00000001 00000003 0000000000000004 0000000000000005 0000000000000006"
                + "0000000000000007 0000000000000008");
        new AtomicResponse(1, -2).write(segment, AT);
        expectBytes("00000001 fffffffffffffffe");
        new ImmediateData(0x0102030405060708L).write(segment, AT);
        expectBytes("0102030405060708");
    }

    @Test
    void segmentsAreReadAsWritten() {
        for (int i = 0; i < 1000; i++) {
            DdpControl control = new DdpControl(
                    seed.nextBoolean(), seed.nextBoolean(), seed.nextInt(4), seed.nextInt(4), seed.nextInt(16));
            TaggedHeader tagged = new TaggedHeader(control, seed.nextInt(), seed.nextLong());
            tagged.write(segment, AT);
            assertEquals(tagged, TaggedHeader.read(segment, AT));
            UntaggedHeader untagged =
                    new UntaggedHeader(control, seed.nextInt(), seed.nextInt(), seed.nextInt(), seed.nextInt());
            untagged.write(segment, AT);
            assertEquals(untagged, UntaggedHeader.read(segment, AT));
            ReadRequest read =
                    new ReadRequest(seed.nextInt(), seed.nextLong(), seed.nextInt(), seed.nextInt(), seed.nextLong());
            read.write(segment, AT);
            assertEquals(read, ReadRequest.read(segment, AT));
            AtomicRequest atomic = new AtomicRequest(
                    seed.nextInt(16),
                    seed.nextInt(),
                    seed.nextInt(),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong());
            atomic.write(segment, AT);
            assertEquals(atomic, AtomicRequest.read(segment, AT));
            AtomicResponse response = new AtomicResponse(seed.nextInt(), seed.nextLong());
            response.write(segment, AT);
            assertEquals(response, AtomicResponse.read(segment, AT));
        }
    }

    @Test
    void everyOpcodeIsFoundByItsCode() {
        for (int code = 0; code < 16; code++) {
            RdmapOpcode opcode = RdmapOpcode.of(code);
            if (code >= 12) {
                assertNull(opcode);
            } else {
                assertEquals(code, opcode == null ? -1 : opcode.code());
            }
        }
        for (AtomicKind kind : AtomicKind.values()) {
            assertSame(kind, AtomicKind.of(kind.code()));
        }
        assertNull(AtomicKind.of(3));
        assertNull(AtomicKind.of(-1));
    }

    @Test
    void terminateIsWrittenAsTheRfcHasItAndReadInBothForms() {
        for (TerminateCode reason : TerminateCode.values()) {
            boolean about = reason.isAboutSegment();
            Terminate regular = Terminate.of(reason, about, false);
            regular.write(segment, AT);
            assertEquals(reason.layer() << 4 | reason.type(), segment.get(ValueLayout.JAVA_BYTE, AT));
            assertEquals(regular, Terminate.read(segment, AT));
            assertSame(reason, regular.reason());
            if (about) {
                Terminate swapped =
                        new Terminate(reason.layer(), reason.type(), reason.code(), true, true, false, true);
                swapped.write(segment, AT);
                assertEquals(swapped, Terminate.read(segment, AT));
            }
        }
        Terminate.of(TerminateCode.DDP_MESSAGE_TOO_LONG, true, false).write(segment, AT);
        expectBytes("12 05 c000");
        Terminate.of(TerminateCode.RDMAP_ACCESS_RIGHTS, true, true).write(segment, AT);
        expectBytes("01 02 e000");
    }

    @Test
    void terminateWithoutFlagsIsReadAsTheFormThatHasSuchAReason() {
        HexFormat hex = HexFormat.of();
        MemorySegment.copy(MemorySegment.ofArray(hex.parseHex("02020000")), 0, segment, AT, 4);
        assertSame(TerminateCode.MPA_CRC, Terminate.read(segment, AT).reason(), "siw's layer below DDP");
        MemorySegment.copy(MemorySegment.ofArray(hex.parseHex("20020000")), 0, segment, AT, 4);
        assertSame(TerminateCode.MPA_CRC, Terminate.read(segment, AT).reason());
        MemorySegment.copy(MemorySegment.ofArray(hex.parseHex("02070000")), 0, segment, AT, 4);
        assertSame(
                TerminateCode.RDMAP_CATASTROPHIC_STREAM,
                Terminate.read(segment, AT).reason(),
                "the RFC's wins");
    }

    @Test
    void everyLengthOfASegmentGivesAUnitOfWholeWords() {
        for (int length = 0; length <= Fpdu.LENGTH_FIELD_MAX; length++) {
            assertEquals(0, Fpdu.length(length) % 4);
            assertEquals(Fpdu.length(length), 2 + length + Fpdu.padding(length) + 4);
            assertTrue(Fpdu.padding(length) < 4);
        }
        assertEquals(8, Fpdu.LENGTH_MIN);
        assertEquals(1442, Fpdu.segmentMax(1448, 0), "as siw fills a segment of TCP with timestamps");
        assertEquals(1430, Fpdu.segmentMax(1448, 3));
    }

    @Test
    void markersAreCountedAsTheyFall() {
        for (int position = 0; position < 1024; position += 4) {
            for (int length = 8; length < 2000; length += 4) {
                int expected = 0;
                int at = position;
                for (int left = length; left > 0; left -= 4) {
                    if (at % 512 == 0) {
                        expected++;
                        at += 4;
                    }
                    at += 4;
                }
                assertEquals(expected, Marker.count(position, length), position + ", " + length);
            }
        }
    }

    /** The check value of CRC32C that RFC 3720 gives for 32 bytes of zeros. */
    @Test
    void checkSumIsThatOfIscsi() {
        MpaCrc crc = new MpaCrc();
        ByteBuffer zeros = ByteBuffer.allocateDirect(40);
        crc.add(zeros, 3, 10);
        crc.reset();
        crc.add(zeros, 3, 20);
        crc.add(zeros, 0, 12);
        MpaCrc.write(segment, AT, crc.value());
        expectBytes("aa36918a");
        assertEquals(crc.value(), MpaCrc.read(segment, AT));
    }
}
