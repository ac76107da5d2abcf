package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.PageTimeoutException;
import org.verbena.memory.Pinned;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.time.Seed;

/** A consumer's own access to pages that do not come: it ends, says whom it waited for, and leaves nothing behind. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ConsumerLimitTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final long MACHINE = 1 << 20;
    private static final long LIMIT_NS = HypervisorOptions.WAIT_LIMIT.toNanos();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment piece = arena.allocate(PAGE, 8);
    private long nowNs;
    private long stepNs;
    private Runnable onTick = () -> {};

    private final SimulatedPageStore store = new SimulatedPageStore(this::tick, ServiceTime.DISK, new Seed(5));
    private final Hypervisor hypervisor =
            Hypervisor.open(HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK));

    /** Time passes whenever the clock is read. */
    private long tick() {
        nowNs += stepNs;
        onTick.run();
        return nowNs;
    }

    @AfterEach
    void close() {
        store.await(() -> store.underWay() == 0);
        hypervisor.close();
        arena.close();
    }

    private static String message(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    @Test
    void aSilentDriverIsNamedAndItsLateAnswerServesTheNext() {
        List<GuestFault> kept = new ArrayList<>();
        ArrayDeque<Runnable> calls = new ArrayDeque<>();
        try (Domain guest = hypervisor.createGuest(
                GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(kept::add, calls::add))) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            stepNs = LIMIT_NS / 10;
            long beganNs = nowNs;
            var read = assertThrows(PageTimeoutException.class, () -> memory.read(3 * PAGE + 5, piece.asSlice(0, 8)));
            assertTrue(nowNs - beganNs >= LIMIT_NS && nowNs - beganNs < 2 * LIMIT_NS, (nowNs - beganNs) + " ns");
            assertTrue(message(read).contains("guest domain 1"), message(read));
            assertTrue(message(read).contains("page 3"), message(read));
            assertTrue(message(read).contains("5000 ms; the guest's own driver has not answered"), message(read));
            assertThrows(PageTimeoutException.class, () -> memory.write(3 * PAGE, piece));
            var pin = assertThrows(PageTimeoutException.class, () -> memory.pin(2 * PAGE, 3 * PAGE, Pinned.Mode.WRITE));
            assertTrue(message(pin).contains("page 2"), message(pin));
            assertNothingIsLeft(memory);

            for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
                call.run();
            }
            assertEquals(3, kept.size(), "each page was asked for once");
            for (GuestFault fault : kept) {
                fault.map(fault.page() + 10);
            }
            GuestStand.assertNoPins(memory);
            memory.write(3 * PAGE, piece.fill((byte) 7));
            memory.read(3 * PAGE + 5, piece.asSlice(0, 8).fill((byte) 0));
            assertEquals(7, piece.get(ValueLayout.JAVA_BYTE, 0));
            memory.pin(2 * PAGE, 3 * PAGE, Pinned.Mode.WRITE).close();
            assertNothingIsLeft(memory);
            assertTrue(calls.isEmpty());
            memory.close();
        }
    }

    private void assertNothingIsLeft(ManagedMemory memory) {
        GuestStand.assertNoPins(memory);
        assertEquals(0, memory.uses());
        assertEquals(0, hypervisor.figures().pins());
    }

    /** Of a pin of several pages, those that came are let go with the rest. */
    @Test
    void whatCameInVainIsLetGo() {
        try (Domain guest = hypervisor.createGuest(
                GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(_ -> {}, _ -> {}))) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            guest.table(memory).map(0, 0);
            guest.table(memory).map(1, 1);
            stepNs = LIMIT_NS / 10;
            var late = assertThrows(PageTimeoutException.class, () -> memory.pin(0, 3 * PAGE, Pinned.Mode.READ));
            assertTrue(message(late).contains("page 2"), message(late));
            assertNothingIsLeft(memory);
            memory.close();
        }
    }

    /** A driver that needs four seconds for each page is slow, not silent. */
    @Test
    void theLimitBeginsAnewWithEachPageThatComes() {
        List<GuestFault> kept = new ArrayList<>();
        ArrayDeque<Runnable> calls = new ArrayDeque<>();
        try (Domain guest = hypervisor.createGuest(
                GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(kept::add, calls::add))) {
            ManagedMemory memory = guest.allocate(4 * PAGE);
            stepNs = LIMIT_NS / 10;
            long[] answeredNs = {nowNs};
            onTick = () -> {
                if (nowNs - answeredNs[0] >= LIMIT_NS * 4 / 5) {
                    answeredNs[0] = nowNs;
                    if (!calls.isEmpty()) {
                        calls.remove().run();
                    }
                    kept.removeFirst().map(answeredNs[0] % 7);
                }
            };
            try (Pinned pinned = memory.pin(0, 4 * PAGE, Pinned.Mode.WRITE)) {
                assertEquals(4 * PAGE, pinned.length());
            } finally {
                onTick = () -> {};
            }
            assertTrue(nowNs > 3 * LIMIT_NS, nowNs + " ns");
            memory.close();
        }
    }

    @Test
    void aFullStoreIsNamedAndNothingIsLost() {
        try (ManagedMemory memory = hypervisor.host().allocate(2 * MACHINE)) {
            int pages = (int) (memory.length() / PAGE);
            store.inject(StoreFaults.NONE.room(20));
            stepNs = LIMIT_NS / 1000;
            int written = 0;
            String full = "";
            while (full.isEmpty() && written < pages) {
                try {
                    memory.write((long) written * PAGE + 8, piece.asSlice(0, 8).fill((byte) written));
                    written++;
                } catch (PageTimeoutException thrown) {
                    full = message(thrown);
                }
            }
            assertTrue(written >= MACHINE / PAGE && written < pages, written + " pages were written");
            assertTrue(full.contains("the page store is full: simulated"), full);
            assertEquals(0, hypervisor.figures().pins());
            int next = written;
            assertThrows(PageTimeoutException.class, () -> memory.pin((long) next * PAGE, 1, Pinned.Mode.WRITE));
            assertEquals(0, hypervisor.figures().pins());
            assertThrows(PageTimeoutException.class, () -> hypervisor.host().allocateWired(MACHINE / 4));
            assertEquals(0, hypervisor.figures().pins());

            store.inject(StoreFaults.NONE);
            for (; written < pages; written++) {
                memory.write((long) written * PAGE + 8, piece.asSlice(0, 8).fill((byte) written));
            }
            for (int page = 0; page < pages; page++) {
                memory.read((long) page * PAGE + 8, piece.asSlice(0, 8));
                assertEquals((byte) page, piece.get(ValueLayout.JAVA_BYTE, 0), "page " + page);
            }
            store.await(() -> store.underWay() == 0);
            GuestStand.assertNoPins(memory);
            hypervisor.host().allocateWired(MACHINE / 4).close();
        }
    }

    @Test
    void aStoreThatStallsIsNamed() {
        try (ManagedMemory memory = hypervisor.host().allocate(8 * PAGE)) {
            memory.write(0, arena.allocate(8 * PAGE).fill((byte) 3));
            memory.advise(0, memory.length(), Advice.PAGE_OUT);
            store.await(() -> store.underWay() == 0);
            store.inject(StoreFaults.NONE.stallReadAt(1));
            stepNs = LIMIT_NS / 10;
            var late = assertThrows(PageTimeoutException.class, () -> memory.read(0, piece));
            assertTrue(message(late).contains("the page store has not answered: simulated"), message(late));
            store.resume();
            memory.read(0, piece);
            assertEquals(3, piece.get(ValueLayout.JAVA_BYTE, 0));
            GuestStand.assertNoPins(memory);
        }
    }

    @Test
    void anInterruptIsKeptAndEndsNoWait() {
        try (Domain guest = hypervisor.createGuest(
                GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(_ -> {}, _ -> {}))) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            stepNs = LIMIT_NS / 10;
            long beganNs = nowNs;
            Thread.currentThread().interrupt();
            assertThrows(PageTimeoutException.class, () -> memory.read(0, piece));
            assertTrue(Thread.interrupted());
            assertFalse(nowNs - beganNs < LIMIT_NS);
            memory.close();
        }
    }

    /** By the machine's clock, with a store in a file. */
    @Test
    void aLimitOfOnesOwn() {
        assertThrows(
                IllegalArgumentException.class,
                () -> HypervisorOptions.of(MACHINE).withWaitLimit(Duration.ZERO));
        try (Hypervisor real = Hypervisor.open(HypervisorOptions.of(MACHINE).withWaitLimit(Duration.ofMillis(20)));
                Domain guest = real.createGuest(
                        GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(_ -> {}))) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            Thread.currentThread().interrupt();
            var late = assertThrows(PageTimeoutException.class, () -> memory.read(0, piece));
            assertTrue(Thread.interrupted());
            assertTrue(message(late).contains("within 20 ms"), message(late));
            memory.close();
        }
    }
}
