package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.link.frame.FrameCableOptions;
import org.verbena.services.ethernet.TestFrames;
import org.verbena.services.ethernet.TestFrames.Shape;
import org.verbena.services.lan.LanStand.HostNode;
import org.verbena.services.lan.LanStand.UnitNode;
import org.verbena.time.Seed;

/** Frames of 60 KB with offload headers, between ends that have offloads and ends that have none. */
final class LanOffloadTest {
    private static final long A = 0x0200_0000_000aL;
    private static final long B = 0x0200_0000_000bL;
    private static final Shape SHAPE = new Shape(false, 0, TestFrames.TCP, 12, 60_000, 0x18);
    private static final FrameCableOptions CABLE = FrameCableOptions.defaults();

    private final LanStand stand = new LanStand();
    private final Seed seed = new Seed(5);

    @AfterEach
    void closeAll() {
        stand.close();
    }

    private HostNode host(UnitNode unit, long mac, FrameCableOptions cable) {
        HostNode host =
                stand.host(unit.driver.address(), HostOptions.DEFAULT.withAddress(new MacAddress(mac)), cable, null);
        assertTrue(stand.run(host::isUp, Duration.ofSeconds(2)), () -> host.driver.failure());
        return host;
    }

    /** A frame of TCP with an offload header, 60 KB long, to be cut in segments of 1,448 bytes. */
    private byte[] large(long destination, long source) {
        byte[] frame = TestFrames.partial(seed, SHAPE, 1, 1448);
        ByteBuffer.wrap(frame)
                .putShort(10, (short) (destination >>> 32))
                .putInt(12, (int) destination)
                .putShort(16, (short) (source >>> 32))
                .putInt(18, (int) source);
        return frame;
    }

    private void assertSegmentsOf(byte[] frame, List<byte[]> segments) {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        for (byte[] segment : segments) {
            assertTrue(segment.length <= 1514);
            assertTrue(TestFrames.isTransportRight(segment, SHAPE) && TestFrames.isIpRight(segment, SHAPE));
            payload.write(segment, SHAPE.headersBytes(), segment.length - SHAPE.headersBytes());
        }
        assertArrayEquals(Arrays.copyOfRange(frame, 10 + SHAPE.headersBytes(), frame.length), payload.toByteArray());
    }

    private void awaitCount(LanStand.Station station, int count) {
        assertTrue(
                stand.run(() -> station.received.size() >= count, LanStand.SOON),
                () -> station.received.size() + " of " + count);
    }

    @Test
    void aLargeFrameCrossesOnceBetweenEndsWithOffloads() {
        UnitNode unit = stand.unit(CABLE, options -> options);
        unit.station.port.offloads(true);
        HostNode a = host(unit, A, CABLE);
        a.station.port.offloads(true);
        assertTrue(a.cable.left().offloads());
        byte[] out = large(0x0011_2233_4455L, A);
        assertTrue(a.station.send(out));
        awaitCount(unit.station, 1);
        assertArrayEquals(out, unit.station.received.getFirst());
        byte[] in = large(A, 0x0011_2233_4455L);
        assertTrue(unit.station.send(in));
        awaitCount(a.station, 1);
        assertArrayEquals(in, a.station.received.getFirst());
    }

    @Test
    void theUnitCutsALargeFrameForALanWithoutOffloads() {
        UnitNode unit = stand.unit(CABLE.withoutOffloads(), options -> options);
        HostNode a = host(unit, A, CABLE);
        a.station.port.offloads(true);
        byte[] frame = large(0x0011_2233_4455L, A);
        assertTrue(a.station.send(frame));
        awaitCount(unit.station, 42);
        assertSegmentsOf(frame, unit.station.received);
        var statistics = a.driver.statistics();
        assertTrue(stand.run(statistics::isDone, LanStand.SOON));
        assertEquals(1, statistics.join().getOrDefault("tx_segmented", -1L));
        assertTrue(unit.station.send(LanStand.frame(A, 0x0011_2233_4455L, 5, 300)));
        awaitCount(a.station, 1);
        byte[] plain = LanStand.frame(A, 0x0011_2233_4455L, 5, 300);
        assertArrayEquals(new byte[10], Arrays.copyOf(a.station.received.getFirst(), 10));
        assertArrayEquals(plain, Arrays.copyOfRange(a.station.received.getFirst(), 10, 10 + plain.length));
    }

    @Test
    void theUnitCutsALargeFrameForAHostWithoutOffloads() {
        UnitNode unit = stand.unit(CABLE, options -> options.withHosts(8, 256, 16));
        unit.station.port.offloads(true);
        HostNode a = host(unit, A, CABLE.withoutOffloads());
        HostNode b = host(unit, B, CABLE);
        b.station.port.offloads(true);
        byte[] fromLan = large(A, 0x0011_2233_4455L);
        assertTrue(unit.station.send(fromLan));
        awaitCount(a.station, 42);
        assertSegmentsOf(fromLan, a.station.received);
        a.station.received.clear();
        byte[] fromHost = large(A, B);
        assertTrue(b.station.send(fromHost));
        awaitCount(a.station, 42);
        assertSegmentsOf(fromHost, a.station.received);
        assertTrue(a.station.send(LanStand.frame(B, A, 9, 200)));
        awaitCount(b.station, 1);
        assertEquals(9, ByteBuffer.wrap(b.station.received.getFirst()).getInt(24));
    }

    @Test
    void aUnitWithoutOffloadsAgreesOnNone() {
        UnitNode unit = stand.unit(CABLE, options -> options.withOffloads(false));
        HostNode a = host(unit, A, CABLE);
        assertFalse(a.cable.left().offloads());
        assertTrue(a.station.send(LanStand.frame(0x0011_2233_4455L, A, 1, 1500)));
        awaitCount(unit.station, 1);
        assertArrayEquals(LanStand.frame(0x0011_2233_4455L, A, 1, 1500), unit.station.received.getFirst());
    }

    @Test
    void broadcastReachesHostsWithAndWithoutOffloads() {
        UnitNode unit = stand.unit(CABLE, options -> options);
        HostNode a = host(unit, A, CABLE.withoutOffloads());
        HostNode b = host(unit, B, CABLE);
        byte[] frame = LanStand.frame(0xffff_ffff_ffffL, 0x0011_2233_4455L, 3, 700);
        assertTrue(unit.station.send(frame));
        awaitCount(a.station, 1);
        awaitCount(b.station, 1);
        assertArrayEquals(frame, a.station.received.getFirst());
        assertArrayEquals(frame, b.station.received.getFirst());
    }
}
