package org.verbena.wire.pcap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.time.Seed;

final class PcapReaderTest {
    private static byte[] capture(ByteOrder order, int magic) {
        byte[] file = new byte[24 + 16 + 5 + 16];
        ByteBuffer.wrap(file)
                .order(order)
                .putInt(magic)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65535)
                .putInt(1)
                .putInt(7)
                .putInt(999)
                .putInt(5)
                .putInt(60)
                .put(new byte[] {1, 2, 3, 4, 5})
                .putInt(-1)
                .putInt(0)
                .putInt(0)
                .putInt(0);
        return file;
    }

    @ParameterizedTest
    @CsvSource({"true,a1b2c3d4,1000", "false,a1b2c3d4,1000", "true,a1b23c4d,1", "false,a1b23c4d,1"})
    void readsBothByteOrdersAndBothResolutions(boolean big, String magic, long fractionNs) {
        ByteOrder order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        PcapReader reader = new PcapReader(MemorySegment.ofArray(capture(order, Integer.parseUnsignedInt(magic, 16))));
        assertEquals(PcapReader.ETHERNET, reader.linkType());
        assertTrue(reader.next());
        assertEquals(7_000_000_000L + 999 * fractionNs, reader.timestampNs());
        assertEquals(60, reader.originalLength());
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, reader.frame().toArray(ValueLayout.JAVA_BYTE));
        assertTrue(reader.next());
        assertEquals(0xffffffffL * 1_000_000_000L, reader.timestampNs());
        assertEquals(0, reader.frame().byteSize());
        assertFalse(reader.next());
        assertFalse(reader.next());
    }

    @Test
    void otherFilesAreRefusedWithAReason() {
        byte[] file = capture(ByteOrder.BIG_ENDIAN, 0x12345678);
        PcapFormatException wrong =
                assertThrows(PcapFormatException.class, () -> new PcapReader(MemorySegment.ofArray(file)));
        assertEquals(
                "capture, byte 0: found 0x12345678, expected the magic number of classic pcap", wrong.getMessage());
        assertThrows(PcapFormatException.class, () -> new PcapReader(MemorySegment.ofArray(new byte[23])));
    }

    @Test
    void captureThatWasCutIsRefusedWhereItEnds() {
        MemorySegment whole = MemorySegment.ofArray(capture(ByteOrder.LITTLE_ENDIAN, 0xa1b2c3d4));
        for (long length = 25; length < 45; length++) {
            PcapReader reader = new PcapReader(whole.asSlice(0, length));
            assertThrows(PcapFormatException.class, reader::next);
        }
    }

    @Test
    void anyBytesAreReadOrRefused() {
        Seed seed = new Seed(99);
        for (int i = 0; i < 20_000; i++) {
            byte[] file = capture(ByteOrder.LITTLE_ENDIAN, 0xa1b2c3d4);
            for (int damage = seed.nextInt(4); damage >= 0; damage--) {
                file[seed.nextInt(file.length)] = (byte) seed.nextInt(256);
            }
            try {
                PcapReader reader = new PcapReader(MemorySegment.ofArray(file).asSlice(0, seed.nextInt(file.length)));
                while (reader.next()) {
                    assertTrue(reader.frame().byteSize() <= file.length);
                }
            } catch (PcapFormatException expected) {
                assertTrue(expected.toString().contains("expected"));
            }
        }
    }
}
