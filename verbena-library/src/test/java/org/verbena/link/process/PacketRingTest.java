package org.verbena.link.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.link.Packet;

@Timeout(60)
final class PacketRingTest {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private static void write(PacketRing ring, PacketRing.Claim claim, int length, int value) {
        for (int i = 0; i + 4 <= length; i += 4) {
            ring.segment().set(INT, claim.offset(ring) + i, value);
        }
    }

    @Test
    void packetsOfAnyLengthGoRoundManyTimes() {
        PacketRing ring = new PacketRing(16 * 1024, 64);
        PacketRing.Claim claim = new PacketRing.Claim(ring);
        int read = 0;
        for (int written = 0; written < 10_000; written++) {
            int length = 4 + written * 97 % 4157 / 4 * 4;
            while (!ring.claim(claim, length)) {
                assertTrue(ring.next());
                verify(ring, read++);
            }
            write(ring, claim, length, written);
            ring.commit(claim, described(written & 0xffff));
        }
        while (ring.next()) {
            verify(ring, read++);
        }
        assertEquals(10_000, read);
    }

    private static Packet described(int number) {
        return new Packet()
                .from(1, 2, number)
                .to(3, 4, 0xfffe)
                .marked(0xb9, 255)
                .raw(number % 2 == 0);
    }

    private static void verify(PacketRing ring, int number) {
        int length = 4 + number * 97 % 4157 / 4 * 4;
        assertEquals(length, ring.length());
        Packet seen = new Packet();
        ring.describe(seen);
        assertEquals(number & 0xffff, seen.sourcePort());
        assertEquals(0xfffe, seen.targetPort());
        assertEquals(4, seen.targetLow());
        assertEquals(0xb9, seen.trafficClass());
        assertEquals(255, seen.hopLimit());
        assertEquals(number % 2 == 0, seen.raw());
        assertEquals(number, ring.segment().get(INT, ring.offset()));
        assertEquals(number, ring.segment().get(INT, ring.offset() + length - 4));
        ring.release();
    }

    @Test
    void whatIsClaimedFirstIsSeenFirstEvenIfCommittedLast() {
        PacketRing ring = new PacketRing(16 * 1024, 64);
        PacketRing.Claim first = new PacketRing.Claim(ring);
        PacketRing.Claim second = new PacketRing.Claim(ring);
        assertTrue(ring.claim(first, 8));
        assertTrue(ring.claim(second, 16));
        ring.commit(second, described(2));
        assertFalse(ring.next());
        ring.commit(first, described(1));
        assertTrue(ring.next());
        assertEquals(8, ring.length());
        ring.release();
        assertTrue(ring.next());
        assertEquals(16, ring.length());
    }

    @Test
    void slotsRunOutBeforeBytesWhenPacketsAreSmall() {
        PacketRing ring = new PacketRing(16 * 1024, 16);
        PacketRing.Claim claim = new PacketRing.Claim(ring);
        for (int i = 0; i < 16; i++) {
            assertTrue(ring.claim(claim, 1));
            ring.abandon(claim);
        }
        assertFalse(ring.claim(claim, 1));
        assertFalse(ring.next());
        assertTrue(ring.claim(claim, 1));
    }

    @Test
    void manyProducersLoseNothingAndKeepTheirOwnOrder() throws InterruptedException {
        int producers = 4;
        int each = 50_000;
        PacketRing ring = new PacketRing(32 * 1024, 128);
        List<Thread> threads = new ArrayList<>();
        for (int producer = 0; producer < producers; producer++) {
            int port = producer;
            threads.add(Thread.ofPlatform().start(() -> produce(ring, port, each)));
        }
        int[] next = new int[producers];
        Packet seenPacket = new Packet();
        for (int seen = 0; seen < producers * each; ) {
            if (!ring.next()) {
                Thread.onSpinWait();
                continue;
            }
            int value = ring.segment().get(INT, ring.offset());
            ring.describe(seenPacket);
            assertEquals(next[seenPacket.sourcePort()]++, value);
            assertEquals(value, ring.segment().get(INT, ring.offset() + ring.length() - 4));
            ring.release();
            seen++;
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void produce(PacketRing ring, int port, int count) {
        PacketRing.Claim claim = new PacketRing.Claim(ring);
        Packet flow = described(port);
        for (int i = 0; i < count; i++) {
            int length = 4 * (1 + (i + port) % 100);
            while (!ring.claim(claim, length)) {
                LockSupport.parkNanos(1_000);
            }
            write(ring, claim, length, i);
            ring.commit(claim, flow);
        }
    }
}
