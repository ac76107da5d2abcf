package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.PageSize;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.machine.AnonymousMapping;
import org.verbena.memory.protection.TableRegion;
import org.verbena.memory.translation.TranslationTable;

/** Regions over several segments: traffic through tables of every page size and order, compared with a copy that is in one piece. */
@Timeout(120)
@OverEachWire
final class ScatteredRegionTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long ADDRESS = 0x5000_0000_0000L;
    private static final int HEAD = 1000;
    private static final int TAIL = 777;
    private static final int ROUNDS = 80;
    private static final int TRANSFER_MAX = 12_000;
    private static final int KIB_4 = 4096;

    private final Arena arena = Arena.ofShared();
    private final Pair pair;
    private final Node a;
    private final Node b;

    ScatteredRegionTest(Wire wire) {
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
    }

    @AfterEach
    void close() {
        pair.close();
        arena.close();
    }

    /** Memory without real pages, aligned to a page. */
    private static MemorySegment sparse(Arena arena, PageSize size, int pages) {
        assumeTrue(
                System.getProperty("os.name", "").startsWith("Linux"),
                "memory without real pages is reserved on Linux only");
        MemorySegment all = AnonymousMapping.map(arena, (pages + 1) * size.bytes());
        long skip = size.bytes() - 1 - size.offsetOf(all.address() - 1);
        return all.asSlice(skip, pages * size.bytes());
    }

    /** Pages 5, 1, 6 and 3 of eight, in this order: the end of the first, all of two, the beginning of the last. */
    private static List<MemorySegment> scattered(MemorySegment memory, PageSize size) {
        long page = size.bytes();
        return List.of(
                memory.asSlice(6 * page - HEAD, HEAD),
                memory.asSlice(page, page),
                memory.asSlice(6 * page, page),
                memory.asSlice(3 * page, TAIL));
    }

    private void done(Node node) {
        pair.run();
        List<Completion> all = node.drain();
        assertEquals(1, all.size(), all.toString());
        assertEquals(Status.SUCCESS, all.getFirst().status(), all.toString());
    }

    private static TranslationTable tableOf(Region region) {
        return TableRegion.of(region).translation();
    }

    // --- traffic

    /** Random transfers of each kind around some offsets of the region. */
    private final class Traffic {
        final List<MemorySegment> segments;
        final Region region;
        final MemorySegment shadow;
        final long[] places;
        final Random random = new Random(7);

        Traffic(List<MemorySegment> segments, long... places) {
            this.segments = segments;
            this.places = places;
            region = b.adapter.register(b.domain, segments, ADDRESS, ALL);
            shadow = AnonymousMapping.map(arena, region.length());
        }

        void run() {
            for (int round = 0; round < ROUNDS; round++) {
                long place = places[random.nextInt(places.length)];
                long from = Math.clamp(place - random.nextInt(TRANSFER_MAX), 0, region.length() - 16);
                int length = (int) Math.min(1 + random.nextInt(TRANSFER_MAX), region.length() - from);
                transfer(random.nextInt(7), from, length);
                compare(from, length);
            }
            for (long place : places) {
                long from = Math.max(0, place - 2 * TRANSFER_MAX);
                compare(from, Math.min(4 * TRANSFER_MAX, region.length() - from));
            }
        }

        private void transfer(int kind, long from, int length) {
            RemoteMemory remote = RemoteMemory.of(region).plus(from);
            LocalSegment local = LocalSegment.of(region, from, length);
            switch (kind) {
                case 0 -> {
                    assertTrue(a.queuePair.post(new WorkRequest.Write(1, fresh(from, length), remote)));
                    done(a);
                }
                case 1 -> {
                    assertTrue(b.queuePair.post(new WorkRequest.Receive(2, local)));
                    assertTrue(a.queuePair.post(new WorkRequest.Send(1, fresh(from, length))));
                    done(a);
                    done(b);
                }
                case 2 -> {
                    fresh(from, length);
                    assertTrue(b.queuePair.post(
                            new WorkRequest.Read(1, List.of(local), a.remote(0), SendOptions.SIGNALLED)));
                    done(b);
                }
                case 3 -> {
                    assertTrue(a.queuePair.post(new WorkRequest.Read(1, a.segment(0, length), remote)));
                    done(a);
                    arrived(from, length);
                }
                case 4 -> {
                    assertTrue(a.queuePair.post(new WorkRequest.Receive(2, a.segment(0, length))));
                    assertTrue(b.queuePair.post(new WorkRequest.Send(1, local)));
                    pair.run();
                    assertEquals(Status.SUCCESS, b.drain().getFirst().status());
                    assertEquals(Status.SUCCESS, a.drain().getFirst().status());
                    arrived(from, length);
                }
                case 5 -> {
                    long at = Math.min(from + 7 & -8, region.length() - 8 & -8);
                    long before = shadow.get(LONG, at);
                    WorkRequest.Sending add = new WorkRequest.FetchAdd(
                            1, a.segment(0, 8), RemoteMemory.of(region).plus(at), from, SendOptions.SIGNALLED);
                    assertTrue(a.queuePair.post(add));
                    done(a);
                    assertEquals(before, a.memory.get(LONG, 0));
                    shadow.set(LONG, at, before + from);
                    compare(at, 8);
                }
                default -> {
                    long at = Math.min(from + 7 & -8, region.length() - 8 & -8);
                    long before = shadow.get(LONG, at);
                    WorkRequest.Sending swap = new WorkRequest.CompareSwap(
                            1, a.segment(0, 8), RemoteMemory.of(region).plus(at), before, ~from, SendOptions.SIGNALLED);
                    assertTrue(a.queuePair.post(swap));
                    done(a);
                    assertEquals(before, a.memory.get(LONG, 0));
                    shadow.set(LONG, at, ~from);
                    compare(at, 8);
                }
            }
        }

        /** New bytes at the peer, which the shadow gets. */
        private LocalSegment fresh(long at, int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            MemorySegment.copy(bytes, 0, a.memory, ValueLayout.JAVA_BYTE, 0, length);
            MemorySegment.copy(bytes, 0, shadow, ValueLayout.JAVA_BYTE, at, length);
            return a.segment(0, length);
        }

        private void arrived(long from, int length) {
            assertEquals(-1, a.memory.asSlice(0, length).mismatch(shadow.asSlice(from, length)));
        }

        /** Bytes of the segments, which this counts by itself, and of the shadow. */
        private void compare(long from, long length) {
            long start = 0;
            for (MemorySegment segment : segments) {
                long low = Math.max(from, start);
                long high = Math.min(from + length, start + segment.byteSize());
                if (low < high) {
                    long differs = MemorySegment.mismatch(segment, low - start, high - start, shadow, low, high);
                    assertEquals(-1, differs, "byte from " + low);
                }
                start += segment.byteSize();
            }
        }
    }

    private static void assertZero(MemorySegment memory, long from, long length) {
        assertEquals(-1, memory.asSlice(from, length).mismatch(MemorySegment.ofArray(new byte[(int) length])));
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationReachesItsBytesInPagesOfEverySize(PageSize size) {
        MemorySegment memory = sparse(arena, size, 8);
        long page = size.bytes();
        Traffic traffic =
                new Traffic(scattered(memory, size), 0, HEAD, HEAD + page, HEAD + 2 * page, HEAD + 2 * page + TAIL);
        TranslationTable table = tableOf(traffic.region);
        assertEquals(size, table.pageSize());
        assertEquals(4, table.pages());
        assertEquals(page - HEAD, table.firstOffset());
        assertEquals(TranslationTable.Order.DIRECT, table.order());
        assertEquals(HEAD + 2 * page + TAIL, traffic.region.length());
        traffic.run();
        assertZero(memory, page - KIB_4, KIB_4);
        assertZero(memory, 2 * page, KIB_4);
        assertZero(memory, 3 * page + TAIL, KIB_4 - TAIL);
        assertZero(memory, 6 * page - KIB_4, KIB_4 - HEAD);
        assertZero(memory, 7 * page, KIB_4);
    }

    /** The end of the first segment allows pages of 4 KiB only. */
    @ParameterizedTest
    @CsvSource({"600, FIRST", "262200, SECOND"})
    void everyOperationReachesItsBytesThroughTablesOfEveryOrder(int pages, TranslationTable.Order order) {
        MemorySegment memory = sparse(arena, PageSize.MIB_1, pages / 256 + 2);
        List<MemorySegment> segments =
                List.of(memory.asSlice(2 * KIB_4 + 8, KIB_4 - 8), memory.asSlice(6 * KIB_4, (long) pages * KIB_4 - 5));
        long length = (long) (pages + 1) * KIB_4 - 13;
        long table = (long) TranslationTable.FAN_OUT * KIB_4 - 8;
        Traffic traffic = order == TranslationTable.Order.FIRST
                ? new Traffic(segments, 0, KIB_4 - 8, table, length)
                : new Traffic(segments, 0, table, 512 * (table + 8) - 8, length);
        assertEquals(PageSize.KIB_4, tableOf(traffic.region).pageSize());
        assertEquals(pages + 1, tableOf(traffic.region).pages());
        assertEquals(order, tableOf(traffic.region).order());
        traffic.run();
    }

    @Test
    void segmentsOfSeveralArenasOfAnyKindMakeOneRegion() {
        try (Arena other = Arena.ofShared()) {
            new Traffic(
                            List.of(
                                    arena.allocate(3 * KIB_4, KIB_4).asSlice(4000, 2 * KIB_4 - 4000),
                                    Arena.ofAuto().allocate(5 * KIB_4, KIB_4),
                                    other.allocate(KIB_4, KIB_4),
                                    arena.allocate(3 * KIB_4, KIB_4).asSlice(KIB_4, 5001)),
                            0,
                            4192,
                            4192 + 5 * KIB_4,
                            4192 + 6 * KIB_4)
                    .run();
        }
    }

    @Test
    void aSegmentThatIsListedTwiceHasTwoAddresses() {
        MemorySegment page = arena.allocate(KIB_4, KIB_4);
        Region region = b.adapter.register(b.domain, List.of(page, page), ADDRESS, ALL);
        a.memory.set(LONG, 0, 4711);
        assertTrue(a.queuePair.post(new WorkRequest.Write(
                1, a.segment(0, 8), RemoteMemory.of(region).plus(KIB_4 + 80))));
        done(a);
        assertTrue(a.queuePair.post(
                new WorkRequest.Read(1, a.segment(8, 8), RemoteMemory.of(region).plus(80))));
        done(a);
        assertEquals(4711, a.memory.get(LONG, 8));
        assertEquals(4711, page.get(LONG, 80));
    }

    @Test
    void aListOfOneSegmentIsAsTheSegment() {
        MemorySegment memory = arena.allocate(10_001, 8).asSlice(1);
        Region region = b.adapter.register(b.domain, List.of(memory), ADDRESS, ALL);
        assertEquals(ADDRESS, region.address());
        assertTrue(a.queuePair.post(new WorkRequest.Write(1, a.segment(0, 10_000), RemoteMemory.of(region))));
        done(a);
        assertEquals(-1, memory.mismatch(a.memory.asSlice(0, 10_000)));
    }

    @Test
    void aWindowAndASecondRegionReachTheSameBytes() {
        MemorySegment memory = arena.allocate(8 * KIB_4, KIB_4);
        List<MemorySegment> segments = scattered(memory, PageSize.KIB_4);
        Region region = b.adapter.register(b.domain, segments, ADDRESS, ALL);
        Region second = b.adapter.share(region, b.domain, ALL);
        Window window = b.adapter.createWindow(b.domain, Window.Type.TYPE_2);
        int key = MemoryKey.next(window.key());
        assertTrue(b.queuePair.post(new WorkRequest.BindWindow(
                3, window, key, region, ADDRESS + 900, 200, EnumSet.of(Right.REMOTE_WRITE), SendOptions.SIGNALLED)));
        done(b);
        a.memory.asSlice(0, 200).fill((byte) 9);
        assertTrue(a.queuePair.post(new WorkRequest.Write(1, a.segment(0, 200), new RemoteMemory(ADDRESS + 900, key))));
        done(a);
        assertTrue(a.queuePair.post(new WorkRequest.Read(
                1, a.segment(1000, 202), RemoteMemory.of(second).plus(899))));
        done(a);
        MemorySegment expected = MemorySegment.ofArray(new byte[202]);
        expected.asSlice(1, 200).fill((byte) 9);
        assertEquals(-1, a.memory.asSlice(1000, 202).mismatch(expected));
        assertEquals(-1, segments.getFirst().asSlice(899, 101).mismatch(expected.asSlice(0, 101)));
        assertEquals(-1, segments.get(1).asSlice(0, 101).mismatch(expected.asSlice(101)));
    }

    // --- refusals

    private void refuses(String because, List<MemorySegment> segments) {
        int before = b.domain.entries();
        String found = assertThrows(
                        IllegalArgumentException.class, () -> b.adapter.register(b.domain, segments, ADDRESS, ALL))
                .getMessage();
        assertTrue(String.valueOf(found).contains(because), found);
        assertEquals(before, b.domain.entries());
    }

    @Test
    void segmentsThatDoNotMakePagesAreRefused() {
        MemorySegment memory = arena.allocate(8 * KIB_4, KIB_4);
        MemorySegment page = memory.asSlice(0, KIB_4);
        String begins = ", a multiple of 4096 expected: only the first may do so within a page";
        String ends = ", a multiple of 4096 expected: only the last may do so within a page";
        long at = memory.address();
        refuses("at least 1 segment to register expected; found 0", List.of());
        refuses(
                "segment 2 of 2 found that begins at 0x" + Long.toHexString(at + 8) + begins,
                List.of(page, memory.asSlice(8, KIB_4)));
        refuses(
                "segment 1 of 2 found that ends at 0x" + Long.toHexString(at + 4095) + ends,
                List.of(memory.asSlice(0, 4095), page));
        refuses(
                "segment 2 of 3 found that ends at 0x" + Long.toHexString(at + 100) + ends,
                List.of(page, memory.asSlice(0, 100), page));
        refuses(
                "segment 3 of 3 found that begins at 0x" + Long.toHexString(at + 2048) + begins,
                List.of(page, page, memory.asSlice(2048, 10)));
        refuses("it is empty", List.of(page, memory.asSlice(0, 0)));
        refuses("it is on the heap", List.of(page, MemorySegment.ofArray(new byte[KIB_4])));
        refuses("read-only memory", List.of(page, page.asReadOnly()));
        try (Arena confined = Arena.ofConfined()) {
            refuses("confined", List.of(page, confined.allocate(KIB_4, KIB_4)));
        }
        Arena closed = Arena.ofShared();
        MemorySegment gone = closed.allocate(KIB_4, KIB_4);
        closed.close();
        refuses("its arena is closed", List.of(page, gone));
    }

    @Test
    void moreThanATableHoldsOrAnAddressSpaceIsRefused() {
        MemorySegment memory = sparse(arena, PageSize.MIB_256, 4);
        MemorySegment page = memory.asSlice(0, KIB_4);
        List<MemorySegment> many = new ArrayList<>(Collections.nCopies(513, memory));
        many.addFirst(page);
        refuses("134479873 pages are more than a table holds, 134217728", many);
        List<MemorySegment> two = List.of(page, page);
        assertThrows(IllegalArgumentException.class, () -> b.adapter.register(b.domain, two, -2 * KIB_4 + 1, ALL));
        assertEquals(
                2 * KIB_4, b.adapter.register(b.domain, two, -2 * KIB_4, ALL).length());
    }

    @Test
    void readOnlySegmentsCanBeReadByPeers() {
        MemorySegment page = arena.allocate(KIB_4, KIB_4).fill((byte) 3);
        Region region =
                b.adapter.register(b.domain, List.of(page, page.asReadOnly()), ADDRESS, Set.of(Right.REMOTE_READ));
        assertTrue(a.queuePair.post(new WorkRequest.Read(1, a.segment(0, 2 * KIB_4), RemoteMemory.of(region))));
        done(a);
        assertEquals(3, a.memory.get(ValueLayout.JAVA_BYTE, 2 * KIB_4 - 1));
    }

    @Test
    void bytesBesideTheRegionAreRefused() {
        for (long[] bad : new long[][] {{-1, 1}, {2 * KIB_4, 1}, {2 * KIB_4 - 1, 2}}) {
            try (Pair own = new Pair(pair.wire)) {
                MemorySegment page = arena.allocate(KIB_4, KIB_4);
                Region region = own.b.adapter.register(own.b.domain, List.of(page, page), ADDRESS, ALL);
                RemoteMemory beside = RemoteMemory.of(region).plus(bad[0]);
                assertTrue(own.a.queuePair.post(new WorkRequest.Read(1, own.a.segment(0, bad[1]), beside)));
                own.run();
                assertEquals(
                        Status.REMOTE_ACCESS_ERROR, own.a.drain().getFirst().status());
                assertEquals(QueuePairState.ERROR, own.a.queuePair.state());
            }
        }
    }

    /** A region over an arena that stays and one that is closed. */
    private Region halfClosed(Node node, MemorySegment stays) {
        try (Arena closed = Arena.ofShared()) {
            return node.adapter.register(node.domain, List.of(stays, closed.allocate(KIB_4, KIB_4)), ADDRESS, ALL);
        }
    }

    /** Offsets in the segment that stays, in the one that is gone, and across both. */
    @ParameterizedTest
    @ValueSource(ints = {0, KIB_4, KIB_4 - 50})
    void noAccessOfAPeerIsGrantedWhenOneArenaIsClosed(int offset) {
        for (boolean read : new boolean[] {false, true}) {
            try (Pair own = new Pair(pair.wire)) {
                MemorySegment stays = arena.allocate(KIB_4, KIB_4);
                RemoteMemory remote = RemoteMemory.of(halfClosed(own.b, stays)).plus(offset);
                own.a.memory.asSlice(0, 100).fill((byte) 7);
                assertTrue(own.a.queuePair.post(
                        read
                                ? new WorkRequest.Read(1, own.a.segment(0, 100), remote)
                                : new WorkRequest.Write(1, own.a.segment(0, 100), remote)));
                own.run();
                assertEquals(
                        read ? Status.REMOTE_ACCESS_ERROR : own.refused(Status.REMOTE_ACCESS_ERROR),
                        own.a.drain().getFirst().status());
                assertEquals(QueuePairState.ERROR, own.b.queuePair.state());
                assertZero(stays, 0, KIB_4);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, KIB_4, KIB_4 - 50})
    void noAccessOfTheOwnerIsGrantedWhenOneArenaIsClosed(int offset) {
        try (Pair own = new Pair(pair.wire)) {
            MemorySegment stays = arena.allocate(KIB_4, KIB_4);
            Region region = halfClosed(own.a, stays);
            assertTrue(own.a.queuePair.post(
                    new WorkRequest.Write(1, LocalSegment.of(region, offset, 100), own.b.remote(0))));
            own.run();
            Completion failed = own.a.drain().getFirst();
            assertEquals(Status.LOCAL_PROTECTION_ERROR, failed.status());
            assertEquals(Verdict.BACKING_CLOSED, failed.detail());
            assertEquals(QueuePairState.ERROR, own.a.queuePair.state());
        }
        try (Pair own = new Pair(pair.wire)) {
            MemorySegment stays = arena.allocate(KIB_4, KIB_4);
            Region region = halfClosed(own.b, stays);
            assertTrue(own.b.queuePair.post(new WorkRequest.Receive(2, LocalSegment.of(region, offset, 100))));
            own.a.memory.asSlice(0, 100).fill((byte) 7);
            assertTrue(own.a.queuePair.post(new WorkRequest.Send(1, own.a.segment(0, 100))));
            own.run();
            Completion failed = own.b.drain().getFirst();
            assertEquals(Status.LOCAL_PROTECTION_ERROR, failed.status());
            assertEquals(Verdict.BACKING_CLOSED, failed.detail());
            assertEquals(QueuePairState.ERROR, own.b.queuePair.state());
            assertZero(stays, 0, KIB_4);
        }
    }

    @Test
    void anAtomicIsRefusedWhenOneArenaIsClosedOrItsAddressIsNotAligned() {
        for (boolean aligned : new boolean[] {true, false}) {
            try (Pair own = new Pair(pair.wire)) {
                MemorySegment stays = arena.allocate(KIB_4, KIB_4);
                Region region = aligned
                        ? halfClosed(own.b, stays)
                        : own.b.adapter.register(own.b.domain, List.of(stays, stays), ADDRESS, ALL);
                RemoteMemory remote = RemoteMemory.of(region).plus(aligned ? 0 : KIB_4 - 4);
                assertTrue(own.a.queuePair.post(
                        new WorkRequest.FetchAdd(1, own.a.segment(0, 8), remote, 1, SendOptions.SIGNALLED)));
                own.run();
                assertEquals(
                        aligned ? Status.REMOTE_ACCESS_ERROR : Status.REMOTE_INVALID_REQUEST,
                        own.a.drain().getFirst().status());
                assertEquals(QueuePairState.ERROR, own.a.queuePair.state());
                assertZero(stays, 0, KIB_4);
            }
        }
    }
}
