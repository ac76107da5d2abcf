package org.verbena.wire.pcap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;
import org.verbena.wire.pcap.PcapngWriter.Direction;

final class PcapngWriterTest {
    private static final String HEAD = "0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffffffffffff 0400 0700"
            + "56657262656e61 00 00000000 2c000000"
            + "01000000 28000000 0100 0000 00000000 0200 0300 726f6300 0900 0100 09000000 00000000 28000000";

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    private PcapngWriter writer() {
        return new PcapngWriter(Channels.newChannel(file), "Verbena", "roc");
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    @Test
    void emptyCaptureHasSectionAndInterface() throws IOException {
        writer().close();
        assertArrayEquals(hex(HEAD), file.toByteArray());
    }

    @Test
    void captureOfInfiniBandSaysSo() throws IOException {
        new PcapngWriter(Channels.newChannel(file), PcapngWriter.LinkType.INFINIBAND, "Verbena", "roc").close();
        assertArrayEquals(hex(HEAD.replace("28000000 0100", "28000000 c500")), file.toByteArray());
    }

    @Test
    void frameIsPaddedAndTellsItsDirection() throws IOException {
        try (PcapngWriter writer = writer()) {
            MemorySegment frame = MemorySegment.ofArray(hex("0102030405"));
            writer.write(0x1122334455667788L, Direction.OUTBOUND, frame);
        }
        assertArrayEquals(
                hex(HEAD + "06000000 34000000 00000000 44332211 88776655 05000000 05000000 0102030405000000"
                        + "0200 0400 02000000 00000000 34000000"),
                file.toByteArray());
    }

    @Test
    void frameIsWrittenInPlace() throws IOException {
        try (PcapngWriter writer = writer()) {
            long at = writer.begin(4);
            writer.segment().set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), at, 0xcafebabe);
            writer.end(1, Direction.INBOUND);
        }
        assertTrue(HexFormat.of().formatHex(file.toByteArray()).contains("0400000004000000cafebabe0200040001000000"));
    }

    @Test
    void manyFramesOfAllSizesFollowEachOther() throws IOException {
        Seed seed = new Seed(6);
        int frames = 2000;
        try (PcapngWriter writer = writer()) {
            for (int i = 0; i < frames; i++) {
                writer.write(i, Direction.UNKNOWN, MemorySegment.ofArray(new byte[seed.nextInt(9000)]));
            }
            writer.write(frames, Direction.UNKNOWN, MemorySegment.ofArray(new byte[PcapngWriter.FRAME_MAX]));
        }
        ByteBuffer bytes = ByteBuffer.wrap(file.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(hex(HEAD).length);
        for (int i = 0; i <= frames; i++) {
            int at = bytes.position();
            assertEquals(6, bytes.getInt(at));
            int length = bytes.getInt(at + 4);
            assertEquals(i, bytes.getInt(at + 16));
            assertEquals(length, bytes.getInt(at + length - 4));
            bytes.position(at + length);
        }
        assertFalse(bytes.hasRemaining());
    }

    @Test
    void longerFramesAndTextsAreRefused() {
        PcapngWriter writer = writer();
        assertThrows(IllegalArgumentException.class, () -> writer.begin(PcapngWriter.FRAME_MAX + 1));
        assertThrows(IllegalArgumentException.class, () -> writer.begin(-1));
        assertThrows(
                IllegalArgumentException.class,
                () -> new PcapngWriter(Channels.newChannel(file), "x".repeat(5000), "y"));
    }

    @Test
    void channelThatFailsOnceLosesNothing() throws IOException {
        FailingOnce channel = new FailingOnce(Channels.newChannel(file));
        try (PcapngWriter writer = new PcapngWriter(channel, "Verbena", "roc")) {
            assertThrows(IOException.class, writer::flush);
            writer.write(1, Direction.UNKNOWN, MemorySegment.ofArray(new byte[] {1}));
        }
        assertEquals(hex(HEAD).length + 48, file.size());
        assertArrayEquals(hex(HEAD), Arrays.copyOf(file.toByteArray(), hex(HEAD).length));
    }

    /** Takes ten bytes, fails, then works. */
    private static final class FailingOnce implements WritableByteChannel {
        private final WritableByteChannel channel;
        private int calls;

        FailingOnce(WritableByteChannel channel) {
            this.channel = channel;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            calls++;
            if (calls == 1) {
                int taken = channel.write(source.slice(0, 10));
                source.position(source.position() + taken);
                return taken;
            }
            if (calls == 2) {
                throw new IOException("disk full");
            }
            return channel.write(source);
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Test
    void writingAllocatesNothing() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (PcapngWriter writer = new PcapngWriter(new Nowhere(), "Verbena", "roc")) {
            churn(writer);
            long before = threads.getCurrentThreadAllocatedBytes();
            churn(writer);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < 512, () -> allocated + " bytes");
        }
    }

    private static void churn(PcapngWriter writer) throws IOException {
        for (int i = 0; i < 20_000; i++) {
            writer.begin(i % 4200);
            writer.end(i, Direction.INBOUND);
        }
    }

    private static final class Nowhere implements WritableByteChannel {
        @Override
        public int write(ByteBuffer source) {
            int length = source.remaining();
            source.position(source.limit());
            return length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
