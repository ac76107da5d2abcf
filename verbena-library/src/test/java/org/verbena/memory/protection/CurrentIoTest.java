package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.SmallHypervisor;
import org.verbena.time.Seed;

/** What consumer and hypervisor say to each other through a current-I/O field. */
final class CurrentIoTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ProtectionTable table = new ProtectionTable(16, new Seed(1));
    private final ProtectionDomain domain = table.createDomain();
    private final Hypervisor hypervisor = SmallHypervisor.open();
    private final TableRegion region = table.register(
            domain, hypervisor.host().allocateWired(4096), 0, ALL, CurrentIoOptions.of(CurrentIo.Mode.CONSUMER));
    private final RegionIo io = region.currentIo();

    @Test
    void onlyAConsumerThatSaidSoCounts() {
        Region counted = table.register(
                domain, hypervisor.host().allocateWired(4096), 0, ALL, CurrentIoOptions.of(CurrentIo.Mode.LIBRARY));
        assertThrows(IllegalStateException.class, () -> counted.currentIo().begin());
        assertThrows(IllegalStateException.class, () -> counted.currentIo().end());
        Region plain = table.register(domain, hypervisor.host().allocateWired(4096), 0, ALL);
        assertThrows(IllegalStateException.class, plain::currentIo);
        assertThrows(IllegalStateException.class, io::end);
    }

    @Test
    void nothingIsCountedBeforeARegionAsksForIt() {
        assertFalse(table.countsOperations());
        assertFalse(table.beginOperation(domain, region.key()));
        Region counted = table.register(
                domain, hypervisor.host().allocateWired(4096), 0, ALL, CurrentIoOptions.of(CurrentIo.Mode.LIBRARY));
        assertTrue(table.countsOperations());
        assertTrue(table.beginOperation(null, counted.key()));
        assertFalse(table.beginOperation(domain, MemoryKey.next(counted.key())));
        table.endOperation(domain, MemoryKey.next(counted.key()));
        assertEquals(1, counted.currentIo().operations());
        table.endOperation(domain, counted.key());
        table.endOperation(domain, counted.key());
        assertEquals(0, counted.currentIo().operations());
    }

    @Test
    void theLastOperationTellsTheHypervisor() {
        var told = new AtomicInteger();
        var asked = new AtomicInteger();
        io.onQuiesce(asked::incrementAndGet);
        assertTrue(io.begin());
        assertTrue(io.begin());
        assertTrue(io.requestQuiesce(told::incrementAndGet));
        assertFalse(io.requestQuiesce(told::incrementAndGet));
        io.tellQuiesce();
        assertEquals(1, asked.get());
        io.end();
        assertEquals(0, told.get());
        assertFalse(io.clearValid());
        io.end();
        assertEquals(1, told.get());
        assertTrue(io.clearValid());
        assertFalse(region.isValid());
    }

    @Test
    void aPromiseReplacesTheEndOfWhatIsCounted() {
        var told = new AtomicInteger();
        assertTrue(io.begin());
        io.quiesced(); // quiesce is not asked for
        assertTrue(io.requestQuiesce(told::incrementAndGet));
        assertFalse(io.clearValid());
        io.quiesced();
        assertEquals(1, told.get());
        assertTrue(io.clearValid());
        assertTrue(Quiescence.resume(region));
        assertEquals(1, io.operations());
        assertTrue(io.requestQuiesce(told::incrementAndGet));
        assertFalse(io.clearValid(), "the promise was for the first time only");
    }

    @Test
    void interestIsToldWhileQuiescingOnly() {
        var wanted = new AtomicInteger();
        io.onInterest(wanted::incrementAndGet);
        io.interest();
        assertEquals(0, wanted.get());
        io.requestQuiesce(() -> {});
        io.interest();
        assertEquals(1, wanted.get());
    }

    @Test
    void whoWaitsIsWokenOnceThoughAnotherThrows() {
        List<String> woken = new ArrayList<>();
        io.onResume(() -> woken.add("at once"));
        io.requestQuiesce(() -> {});
        var thrown = new AtomicInteger();
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((_, _) -> thrown.incrementAndGet());
        try {
            io.onResume(() -> {
                throw new IllegalArgumentException("a consumer's mistake");
            });
            io.onResume(() -> woken.add("resumed"));
            assertEquals(List.of("at once"), woken);
            assertTrue(Quiescence.resume(region));
            assertFalse(Quiescence.resume(region));
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
        assertEquals(List.of("at once", "resumed"), woken);
        assertEquals(1, thrown.get());
    }

    @Test
    void aThreadThatWaitsIsWokenByResumeAndByClose() throws InterruptedException {
        assertTrue(io.awaitResumed(Duration.ZERO));
        io.requestQuiesce(() -> {});
        assertFalse(io.awaitResumed(Duration.ZERO));
        assertTrue(woken(() -> assertTrue(Quiescence.resume(region))));
        io.requestQuiesce(() -> {});
        assertTrue(io.clearValid());
        assertTrue(woken(region::close));
        assertThrows(IllegalStateException.class, io::begin);
    }

    private boolean woken(Runnable waker) throws InterruptedException {
        var resumed = new AtomicBoolean();
        Thread waiter = Thread.ofPlatform().start(() -> {
            try {
                resumed.set(io.awaitResumed(PATIENCE));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        while (waiter.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        waker.run();
        waiter.join();
        return resumed.get();
    }

    @Test
    void closingTellsTheHypervisorToo() {
        var told = new AtomicInteger();
        assertTrue(io.begin());
        assertTrue(io.requestQuiesce(told::incrementAndGet));
        region.close();
        assertEquals(1, told.get());
        assertFalse(io.clearValid());
        assertFalse(io.isQuiescing());
        io.end();
    }
}
