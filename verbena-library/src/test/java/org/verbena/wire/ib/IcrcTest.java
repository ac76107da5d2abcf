package org.verbena.wire.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

/** Against a plain reference that lays out every masked byte; real packets are in {@code CaptureTest}. */
final class IcrcTest {
    private static final int SIZE = 9000;
    private static final long MAPPED = 0xffffL << 32;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
    private final Icrc icrc = new Icrc();
    private final Seed seed = new Seed(32);

    private void fill() {
        for (int i = 0; i + 8 <= SIZE; i += 8) {
            bytes.putLong(i, seed.nextLong());
        }
    }

    private int computeIpv4(int offset, int length, int source, int target, int ports, int identification) {
        return icrc.compute(
                bytes,
                offset,
                length,
                0,
                MAPPED | (source & 0xffff_ffffL),
                0,
                MAPPED | (target & 0xffff_ffffL),
                ports >>> 16,
                ports & 0xffff,
                identification);
    }

    private int reference(ByteBuffer headers, int offset, int length) {
        byte[] packet = new byte[length];
        bytes.get(offset, packet);
        packet[4] = (byte) 0xff;
        CRC32 crc = new CRC32();
        crc.update(HexFormat.of().parseHex("ffffffffffffffff"));
        crc.update(headers.flip());
        crc.update(packet);
        return (int) crc.getValue();
    }

    @Test
    void ipv4PacketIsCountedWithItsHeadersMasked() {
        for (int i = 0; i < 2000; i++) {
            fill();
            int offset = seed.nextInt(64);
            int length = 12 + 4 * seed.nextInt(1050);
            int source = seed.nextInt();
            int target = seed.nextInt();
            int ports = seed.nextInt();
            int identification = seed.nextInt(65536);
            ByteBuffer headers = ByteBuffer.allocate(28)
                    .put(HexFormat.of().parseHex("45ff"))
                    .putShort((short) (28 + length + 4))
                    .putShort((short) identification)
                    .put(HexFormat.of().parseHex("4000ff11ffff"))
                    .putInt(source)
                    .putInt(target)
                    .putInt(ports)
                    .putShort((short) (8 + length + 4))
                    .putShort((short) -1);
            assertEquals(
                    reference(headers, offset, length),
                    computeIpv4(offset, length, source, target, ports, identification));
        }
    }

    @Test
    void ipv6PacketIsCountedWithItsHeadersMasked() {
        for (int i = 0; i < 2000; i++) {
            fill();
            int offset = seed.nextInt(64);
            int length = 12 + 4 * seed.nextInt(1050);
            long[] addresses = {seed.nextLong() | 1L << 61, seed.nextLong(), seed.nextLong() | 1L << 61, seed.nextLong()
            };
            int ports = seed.nextInt();
            ByteBuffer headers = ByteBuffer.allocate(48)
                    .put(HexFormat.of().parseHex("6fffffff"))
                    .putShort((short) (8 + length + 4))
                    .put(HexFormat.of().parseHex("11ff"))
                    .putLong(addresses[0])
                    .putLong(addresses[1])
                    .putLong(addresses[2])
                    .putLong(addresses[3])
                    .putInt(ports)
                    .putShort((short) (8 + length + 4))
                    .putShort((short) -1);
            int computed = icrc.compute(
                    bytes,
                    offset,
                    length,
                    addresses[0],
                    addresses[1],
                    addresses[2],
                    addresses[3],
                    ports >>> 16,
                    ports & 0xffff,
                    0);
            assertEquals(reference(headers, offset, length), computed);
        }
    }

    @Test
    void packetIsNotModifiedAndByteOrderOfTheBufferDoesNotMatter() {
        fill();
        byte[] before = new byte[SIZE];
        bytes.get(0, before);
        int big = computeIpv4(5, 1036, 1, 2, 3, 0);
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(big, computeIpv4(5, 1036, 1, 2, 3, 0));
        byte[] after = new byte[SIZE];
        bytes.get(0, after);
        assertArrayEquals(before, after);
        assertEquals(0, bytes.position());
        assertEquals(SIZE, bytes.limit());
    }

    @Test
    void congestionBitsDoNotCount() {
        fill();
        int before = computeIpv4(0, 64, 1, 2, 3, 0);
        bytes.put(4, (byte) ~bytes.get(4));
        assertEquals(before, computeIpv4(0, 64, 1, 2, 3, 0));
        bytes.put(5, (byte) ~bytes.get(5));
        assertNotEquals(before, computeIpv4(0, 64, 1, 2, 3, 0));
    }

    @Test
    void identificationIsRecoveredFromTheCrc() {
        fill();
        for (int i = 0; i < 20_000; i++) {
            int length = 12 + seed.nextInt(8900);
            int identification = seed.nextInt(65536);
            int received = computeIpv4(0, length, 1, 2, 3, identification);
            int computed = computeIpv4(0, length, 1, 2, 3, 0);
            assertEquals(identification, icrc.recoverIdentification(received, computed, length));
        }
    }

    @Test
    void damagedPacketHasNoIdentification() {
        int passed = 0;
        for (int i = 0; i < 100_000; i++) {
            passed += icrc.recoverIdentification(seed.nextInt(), seed.nextInt(), 1040) >= 0 ? 1 : 0;
        }
        int counted = passed;
        assertTrue(passed < 12, () -> "one in 65,536 may pass, counted " + counted);
    }

    @Test
    void localPacketOfTheSpecificationHasItsCrc() {
        // The example packet of the chapter on CRCs in the specification: LRH, BTH and payload.
        byte[] packet = HexFormat.of()
                .parseHex("7012375c000e17d20a2024870087b1b3000dec2a01710a1c015d400238f27a05"
                        + "0000000ebb884d85fd5cfba4728bc0690ed40000");
        bytes.put(7, packet);
        int computed = icrc.computeLocal(bytes, 7, packet.length);
        MemorySegment stored = MemorySegment.ofArray(new byte[4]);
        Icrc.write(stored, 0, computed);
        assertArrayEquals(HexFormat.of().parseHex("9625b75a"), stored.toArray(ValueLayout.JAVA_BYTE));
        assertEquals(computed, Icrc.read(stored, 0));
    }

    /** A packet with a global route header is covered as RoCE packets are: ones in place of the local route header, which routers replace. */
    @Test
    void globalPacketIsCountedWithItsHeadersMasked() {
        for (int i = 0; i < 2000; i++) {
            fill();
            int offset = seed.nextInt(64);
            int length = 12 + 4 * seed.nextInt(1050);
            MemorySegment segment = MemorySegment.ofBuffer(bytes);
            new Lrh(3, 0, 1, Lrh.NEXT_GRH, seed.nextInt(65536), 30, seed.nextInt(65536)).write(segment, offset);
            Grh grh = new Grh(
                    6,
                    seed.nextInt(256),
                    seed.nextInt(1 << 20),
                    length + 4,
                    Grh.NEXT_BTH,
                    seed.nextInt(256),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong());
            grh.write(segment, offset + 8);
            ByteBuffer headers = ByteBuffer.allocate(40)
                    .put(HexFormat.of().parseHex("6fffffff"))
                    .putShort((short) (length + 4))
                    .put(HexFormat.of().parseHex("1bff"))
                    .putLong(grh.sourceHigh())
                    .putLong(grh.sourceLow())
                    .putLong(grh.targetHigh())
                    .putLong(grh.targetLow());
            assertEquals(reference(headers, offset + 48, length), icrc.computeLocal(bytes, offset, 48 + length));
        }
    }

    @Test
    void fieldsThatSwitchesAndRoutersChangeDoNotCount() {
        fill();
        MemorySegment segment = MemorySegment.ofBuffer(bytes);
        new Lrh(3, 0, 1, Lrh.NEXT_GRH, 5, 30, 6).write(segment, 0);
        new Grh(6, 7, 8, 72, Grh.NEXT_BTH, 9, 1, 2, 3, 4).write(segment, 8);
        int before = icrc.computeLocal(bytes, 0, 116);
        new Lrh(12, 0, 2, Lrh.NEXT_GRH, 7, 30, 8).write(segment, 0);
        new Grh(6, 70, 80, 72, Grh.NEXT_BTH, 8, 1, 2, 3, 4).write(segment, 8);
        bytes.put(52, (byte) ~bytes.get(52));
        assertEquals(before, icrc.computeLocal(bytes, 0, 116));
        new Grh(6, 70, 80, 72, Grh.NEXT_BTH, 8, 1, 2, 3, 5).write(segment, 8);
        assertNotEquals(before, icrc.computeLocal(bytes, 0, 116));
    }

    @Test
    void localRouteCountsButForTheLane() {
        fill();
        MemorySegment segment = MemorySegment.ofBuffer(bytes);
        new Lrh(3, 0, 1, Lrh.NEXT_BTH, 5, 30, 6).write(segment, 0);
        int before = icrc.computeLocal(bytes, 0, 116);
        new Lrh(12, 0, 1, Lrh.NEXT_BTH, 5, 30, 6).write(segment, 0);
        assertEquals(before, icrc.computeLocal(bytes, 0, 116));
        new Lrh(12, 0, 1, Lrh.NEXT_BTH, 5, 30, 7).write(segment, 0);
        assertNotEquals(before, icrc.computeLocal(bytes, 0, 116));
    }

    @Test
    void computingAllocatesNothing() {
        fill();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int first = churn();
        long before = threads.getCurrentThreadAllocatedBytes();
        int second = churn();
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(first, second);
        assertTrue(allocated < 512, () -> allocated + " bytes");
    }

    private int churn() {
        int mixed = 1;
        MemorySegment segment = MemorySegment.ofBuffer(bytes);
        for (int i = 0; i < 20_000; i++) {
            int length = 12 + i % 1024;
            int computed = computeIpv4(i & 31, length, 1, 2, 3, i);
            mixed += icrc.recoverIdentification(computed, mixed, length);
            mixed += icrc.compute(bytes, 0, length, 1, 2, 3, 4, 5, 6, 0);
            mixed += Bth.psn(segment, i & 31) + Bth.opcode(segment, i & 31);
            Opcode opcode = Opcode.of(mixed);
            mixed += opcode == null ? 0 : opcode.headerLength();
        }
        return mixed;
    }
}
