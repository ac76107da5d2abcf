package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.Advice;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Pinned;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.store.StoreOptions;

/** Regions on a part of managed memory: they begin and end anywhere in a page. */
@Timeout(120)
@OverEachWire
final class PartRegionTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BYTES = 1 << 16;
    private static final int OFFSET = 5000;
    private static final int LENGTH = 20_000;
    private static final long ADDRESS = 0x7000_0000_0000L;

    /** Where memory comes from. */
    enum Kind {
        PAGED,
        WIRED,
        MACHINE,
        GUEST
    }

    @TempDir
    private Path directory;

    private final Pair pair;
    private final Node a;
    private final Node b;
    private final byte[] shadow = Exchange.pattern(BYTES, 3);
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private Hypervisor hypervisor;

    PartRegionTest(Wire wire) {
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
    }

    @BeforeEach
    void open() {
        hypervisor = Hypervisor.open(HypervisorOptions.of(8 << 20).withStore(StoreOptions.at(directory)));
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
        for (AutoCloseable last = opened.poll(); last != null; last = opened.poll()) {
            last.close();
        }
        hypervisor.close();
    }

    /** Closes it at the end, before all that was opened earlier. */
    private <T extends AutoCloseable> T keep(T made) {
        opened.push(made);
        return made;
    }

    private ManagedMemory memory(Kind kind) {
        ManagedMemory memory = keep(
                switch (kind) {
                    case PAGED -> hypervisor.host().allocate(BYTES);
                    case WIRED -> hypervisor.host().allocateWired(BYTES);
                    case MACHINE -> keep(new MachineMemory(1 << 20)).allocate(BYTES);
                    case GUEST ->
                        keep(hypervisor.createGuest(GuestOptions.ofPhysical(1 << 20)))
                                .allocate(BYTES);
                });
        try (Arena arena = Arena.ofConfined()) {
            memory.write(0, arena.allocate(BYTES).copyFrom(MemorySegment.ofArray(shadow)));
        }
        return memory;
    }

    private Region part(ManagedMemory memory) {
        return keep(b.adapter.register(b.domain, memory, OFFSET, LENGTH, ADDRESS, ALL));
    }

    /** The completion of one request; pages may have to come from the store before. */
    private static Completion completion(Pair pair, Node node) {
        while (true) {
            pair.pass(100_000);
            Completion done = node.completions.poll();
            if (done != null) {
                return done;
            }
            Thread.onSpinWait();
        }
    }

    private void succeeds(WorkRequest.Sending request) {
        assertTrue(a.queuePair.post(request));
        Completion done = completion(pair, a);
        assertEquals(Status.SUCCESS, done.status(), done::toString);
    }

    private void assertContent(ManagedMemory memory) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(BYTES);
            memory.read(0, found);
            assertEquals(-1, found.mismatch(MemorySegment.ofArray(shadow)));
        }
    }

    /** Fills bytes of the peer with a pattern, which the shadow gets at an offset. */
    private LocalSegment fresh(int length, int seed, int at) {
        byte[] bytes = Exchange.pattern(length, seed);
        MemorySegment.copy(bytes, 0, a.memory, ValueLayout.JAVA_BYTE, 0, length);
        System.arraycopy(bytes, 0, shadow, at, length);
        return a.segment(0, length);
    }

    @Test
    void aPartThatIsEmptyOrNotWithinTheMemoryIsRefused() {
        ManagedMemory memory = memory(Kind.PAGED);
        int before = b.domain.entries();
        long[][] bad = {{-1, 10}, {0, 0}, {0, -1}, {0, BYTES + 1}, {BYTES, 1}, {BYTES - 9, 10}, {8, Long.MAX_VALUE}};
        for (long[] part : bad) {
            String message = assertThrows(
                            IndexOutOfBoundsException.class,
                            () -> b.adapter.register(b.domain, memory, part[0], part[1], 0, ALL))
                    .getMessage();
            assertEquals(
                    "at least 1 byte within 65536 bytes expected; found " + part[1] + " bytes at offset " + part[0],
                    message);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> b.adapter.register(
                            b.domain, memory, part[0], part[1], 0, ALL, CurrentIoOptions.of(CurrentIo.Mode.CONSUMER)));
        }
        assertThrows(IllegalArgumentException.class, () -> b.adapter.register(b.domain, memory, 0, 9, -8, ALL));
        assertEquals(before, b.domain.entries());
        assertEquals(0, memory.uses());
        assertEquals(
                1,
                keep(b.adapter.register(b.domain, memory, BYTES - 1, 1, 0, ALL)).length());
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationReachesItsBytesAndNoOthers(Kind kind) {
        ManagedMemory memory = memory(kind);
        Region region = part(memory);
        assertEquals(LENGTH, region.length());
        RemoteMemory remote = RemoteMemory.of(region);
        succeeds(new WorkRequest.Write(1, fresh(LENGTH, 4, OFFSET), remote));
        succeeds(new WorkRequest.Write(1, fresh(9000, 5, OFFSET + 77), remote.plus(77)));
        assertTrue(b.queuePair.post(
                new WorkRequest.Receive(2, LocalSegment.of(region, 19_000, 1000), LocalSegment.of(region, 0, 3000))));
        byte[] message = Exchange.pattern(4000, 6);
        MemorySegment.copy(message, 0, a.memory, ValueLayout.JAVA_BYTE, 0, 4000);
        System.arraycopy(message, 0, shadow, OFFSET + 19_000, 1000);
        System.arraycopy(message, 1000, shadow, OFFSET, 3000);
        succeeds(new WorkRequest.Send(1, a.segment(0, 4000)));
        assertEquals(Status.SUCCESS, completion(pair, b).status());
        MemorySegment expected = MemorySegment.ofArray(shadow);
        long before = expected.get(ValueLayout.JAVA_LONG_UNALIGNED, OFFSET + 8);
        succeeds(new WorkRequest.FetchAdd(1, a.segment(0, 8), remote.plus(8), 11, SendOptions.SIGNALLED));
        assertEquals(before, a.memory.get(ValueLayout.JAVA_LONG, 0));
        expected.set(ValueLayout.JAVA_LONG_UNALIGNED, OFFSET + 8, before + 11);
        assertContent(memory);
        succeeds(new WorkRequest.Read(1, a.segment(0, LENGTH), remote));
        assertEquals(-1, a.memory.asSlice(0, LENGTH).mismatch(expected.asSlice(OFFSET, LENGTH)));
        region.close();
        assertEquals(0, memory.uses());
    }

    @Test
    void aPeerReachesNoByteBesideThePart() {
        for (long[] beside : new long[][] {{-1, 1}, {LENGTH, 1}, {LENGTH - 1, 2}, {-1, LENGTH + 2}}) {
            try (Pair own = new Pair(pair.wire)) {
                ManagedMemory memory = memory(Kind.PAGED);
                Region region = keep(own.b.adapter.register(own.b.domain, memory, OFFSET, LENGTH, ADDRESS, ALL));
                RemoteMemory remote = RemoteMemory.of(region).plus(beside[0]);
                assertTrue(own.a.queuePair.post(new WorkRequest.Read(1, own.a.segment(0, beside[1]), remote)));
                assertEquals(Status.REMOTE_ACCESS_ERROR, completion(own, own.a).status());
                assertEquals(QueuePairState.ERROR, own.a.queuePair.state());
                assertContent(memory);
            }
        }
    }

    @Test
    void itsOwnerReachesNoByteBesideThePart() {
        ManagedMemory memory = memory(Kind.PAGED);
        Region region = keep(a.adapter.register(a.domain, memory, OFFSET, LENGTH, ADDRESS, ALL));
        assertTrue(a.queuePair.post(new WorkRequest.Write(1, LocalSegment.of(region, LENGTH - 7, 8), b.remote(0))));
        Completion failed = completion(pair, a);
        assertEquals(Status.LOCAL_PROTECTION_ERROR, failed.status());
        assertEquals(Verdict.OUT_OF_BOUNDS, failed.detail());
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
    }

    @ParameterizedTest
    @EnumSource
    void aWindowOnAPartOfThePartReachesItsBytes(Kind kind) {
        ManagedMemory memory = memory(kind);
        Region region = part(memory);
        for (Window.Type type : Window.Type.values()) {
            Window window = b.adapter.createWindow(b.domain, type);
            int key = MemoryKey.next(window.key());
            assertTrue(b.queuePair.post(new WorkRequest.BindWindow(
                    3,
                    window,
                    key,
                    region,
                    ADDRESS + 3000,
                    9000,
                    EnumSet.of(Right.REMOTE_WRITE),
                    SendOptions.SIGNALLED)));
            assertEquals(Status.SUCCESS, completion(pair, b).status());
            succeeds(new WorkRequest.Write(
                    1, fresh(9000, 20 + type.ordinal(), OFFSET + 3000), new RemoteMemory(ADDRESS + 3000, key)));
            assertContent(memory);
        }
    }

    @Test
    void aSecondRegionOnThePartHasItsBytesAndAddresses() {
        ManagedMemory memory = memory(Kind.PAGED);
        Region region = keep(b.adapter.share(part(memory), b.domain, ALL));
        assertEquals(LENGTH, region.length());
        assertEquals(ADDRESS, region.address());
        succeeds(new WorkRequest.Write(1, fresh(LENGTH, 8, OFFSET), RemoteMemory.of(region)));
        assertContent(memory);
    }

    @Test
    void aPinIsByTheOffsetInTheRegion() {
        Region region = part(memory(Kind.PAGED));
        try (Pinned pinned = region.pin(LENGTH - 5000, 5000, Pinned.Mode.READ)) {
            MemorySegment expected = MemorySegment.ofArray(shadow).asSlice(OFFSET + LENGTH - 5000, 5000);
            assertEquals(-1, pinned.segment().mismatch(expected));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> region.pin(LENGTH - 9, 10, Pinned.Mode.READ));
        assertThrows(IndexOutOfBoundsException.class, () -> region.pin(-1, 10, Pinned.Mode.READ));
    }

    // --- pages that come and go

    /** The message overwrites all of the region, but not all of the pages at its ends: they have to be brought in. */
    @Test
    void bytesBesideThePartStayWhenAllOfThePartIsOverwrittenInThePageStore() {
        ManagedMemory memory = memory(Kind.PAGED);
        Region region = part(memory);
        memory.advise(0, BYTES, Advice.PAGE_OUT);
        while (memory.residency().resident() > 0) {
            Thread.onSpinWait();
        }
        succeeds(new WorkRequest.Write(1, fresh(LENGTH, 9, OFFSET), RemoteMemory.of(region)));
        succeeds(new WorkRequest.Read(1, a.segment(0, 1), RemoteMemory.of(region))); // the write is placed before
        assertContent(memory);
    }

    @ParameterizedTest
    @EnumSource(names = {"PAGED", "WIRED", "GUEST"})
    void aPartIsSwappedOutAndInWhileAnotherPartStays(Kind kind) throws InterruptedException, ExecutionException {
        ManagedMemory memory = memory(kind);
        Region region = keep(a.adapter.register(
                a.domain, memory, OFFSET, LENGTH, ADDRESS, ALL, CurrentIoOptions.of(CurrentIo.Mode.LIBRARY)));
        Region other = keep(a.adapter.register(
                a.domain, memory, OFFSET + LENGTH, LENGTH, ADDRESS, ALL, CurrentIoOptions.of(CurrentIo.Mode.LIBRARY)));
        succeeds(new WorkRequest.Write(1, LocalSegment.of(region), b.remote(0)));
        assertEquals(
                -1,
                b.memory
                        .asSlice(0, LENGTH)
                        .mismatch(MemorySegment.ofArray(shadow).asSlice(OFFSET, LENGTH)));
        assertTrue(hypervisor.swapOut(region, PATIENCE).isOut());
        assertFalse(region.isValid());
        assertTrue(other.isValid());
        assertThrows(
                QuiescingException.class,
                () -> a.queuePair.post(new WorkRequest.Write(1, LocalSegment.of(region), b.remote(0))));
        succeeds(new WorkRequest.Write(1, LocalSegment.of(other), b.remote(0)));
        assertEquals(
                -1,
                b.memory
                        .asSlice(0, LENGTH)
                        .mismatch(MemorySegment.ofArray(shadow).asSlice(OFFSET + LENGTH, LENGTH)));
        assertTrue(hypervisor.swapOut(other, PATIENCE).isOut());
        hypervisor.swapIn(region).get();
        hypervisor.swapIn(other).get();
        succeeds(new WorkRequest.Read(
                1, List.of(LocalSegment.of(region, 100, 50)), b.remote(100), SendOptions.SIGNALLED));
        System.arraycopy(shadow, OFFSET + LENGTH + 100, shadow, OFFSET + 100, 50);
        assertContent(memory);
        assertEquals(0, region.currentIo().operations());
    }
}
