package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.time.Seed;

/** Engines that copy while others close, bind and invalidate. Bounded in steps, not in time. */
final class ConcurrentAccessTest {
    private static final int ENGINES = 3;
    private static final int LENGTH = 2048;
    private static final byte POISON = 0x55;

    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor writer = Accessor.remote(domain, 1, Right.REMOTE_WRITE);
    private final Accessor reader = Accessor.local(domain, 1, Right.LOCAL_READ);

    /** What engines use at the moment, and whether they may stop. */
    private static final class Target {
        volatile int key;
        volatile long address;
        volatile boolean done;
    }

    private static void run(Target target, Callable<Set<Verdict>> engine, Runnable control, Set<Verdict> allowed)
            throws InterruptedException, ExecutionException {
        try (ExecutorService pool = Executors.newFixedThreadPool(ENGINES)) {
            List<Future<Set<Verdict>>> engines = new ArrayList<>();
            for (int i = 0; i < ENGINES; i++) {
                engines.add(pool.submit(engine));
            }
            try {
                control.run();
            } finally {
                target.done = true;
            }
            Set<Verdict> seen = EnumSet.noneOf(Verdict.class);
            for (Future<Set<Verdict>> future : engines) {
                seen.addAll(future.get());
            }
            assertTrue(allowed.containsAll(seen), () -> "seen " + seen);
        }
    }

    private Set<Verdict> hammer(Target target) {
        MemorySegment packet = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(LENGTH));
        packet.fill(POISON);
        Set<Verdict> seen = EnumSet.noneOf(Verdict.class);
        while (!target.done) {
            int key = target.key;
            long address = target.address;
            seen.add(table.place(writer, key, address, packet, 0, LENGTH));
            seen.add(table.gather(reader, key, address, packet, 0, 8));
        }
        return seen;
    }

    @Test
    void nothingIsWrittenAfterCloseReturned() throws InterruptedException, ExecutionException {
        MachineMemory machine = new MachineMemory(1 << 20);
        Target target = new Target();
        MemorySegment zeros = Arena.ofAuto().allocate(LENGTH);
        MemorySegment found = Arena.ofAuto().allocate(LENGTH);
        Runnable control = () -> {
            for (int step = 0; step < 20_000; step++) {
                ManagedMemory memory = machine.allocate(LENGTH);
                TableRegion region = table.register(domain, memory, 4096, Tables.ALL);
                target.address = region.address();
                target.key = region.key();
                while (step % 16 == 0 && isUntouched(memory)) {
                    Thread.onSpinWait();
                }
                region.close();
                memory.write(0, zeros);
                memory.read(0, found);
                assertEquals(-1, found.mismatch(zeros));
                memory.read(0, found);
                assertEquals(-1, found.mismatch(zeros));
                memory.close();
            }
        };
        run(
                target,
                () -> hammer(target),
                control,
                EnumSet.of(Verdict.GRANTED, Verdict.NO_ENTRY, Verdict.WRONG_INSTANCE, Verdict.INVALID));
        assertEquals(0, machine.framesUsed());
        assertEquals(0, domain.entries());
        machine.close();
    }

    private static boolean isUntouched(ManagedMemory memory) {
        byte[] first = new byte[1];
        memory.read(0, MemorySegment.ofArray(first));
        return first[0] == 0;
    }

    @Test
    void arenasClosedUnderCopiesEndTheRegionAndNotTheEngine() throws InterruptedException, ExecutionException {
        Target target = new Target();
        Runnable control = () -> {
            for (int step = 0; step < 1500; step++) {
                Arena arena = Arena.ofShared();
                MemorySegment memory = arena.allocate(LENGTH);
                TableRegion region = table.register(domain, memory, Tables.ALL);
                target.address = region.address();
                target.key = region.key();
                while (step % 8 == 0 && memory.get(ValueLayout.JAVA_BYTE, 0) == 0) {
                    Thread.onSpinWait();
                }
                arena.close();
                Verdict after = table.judge(reader, region.key(), region.address(), 1);
                assertTrue(after == Verdict.BACKING_CLOSED || after == Verdict.INVALID, after::toString);
                region.close();
            }
        };
        run(
                target,
                () -> hammer(target),
                control,
                EnumSet.of(
                        Verdict.GRANTED,
                        Verdict.NO_ENTRY,
                        Verdict.WRONG_INSTANCE,
                        Verdict.INVALID,
                        Verdict.OUT_OF_BOUNDS,
                        Verdict.BACKING_CLOSED));
    }

    @Test
    void nothingComesThroughAWindowAfterItWasInvalidated() throws InterruptedException, ExecutionException {
        Target target = new Target();
        MemorySegment memory = Arena.ofAuto().allocate(LENGTH, 8);
        TableRegion region = table.register(domain, memory, Tables.ALL);
        Window window = table.createWindow(domain, Window.Type.TYPE_2);
        Accessor binder = Accessor.local(domain, 1, Right.BIND_WINDOW);
        target.address = region.address();
        Runnable control = () -> {
            for (int step = 0; step < 20_000; step++) {
                Binding binding = new Binding(
                        MemoryKey.next(window.key()),
                        region.key(),
                        region.address(),
                        LENGTH,
                        Set.of(Right.REMOTE_WRITE));
                assertEquals(Verdict.GRANTED, table.bind(binder, window.key(), binding));
                target.key = window.key();
                while (step % 16 == 0 && memory.get(ValueLayout.JAVA_BYTE, 0) == 0) {
                    Thread.onSpinWait();
                }
                assertEquals(Verdict.GRANTED, table.invalidate(window.key(), writer));
                memory.fill((byte) 0);
                assertEquals(0, memory.get(ValueLayout.JAVA_LONG, LENGTH - 8));
                assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 0));
            }
        };
        run(
                target,
                () -> hammer(target),
                control,
                EnumSet.of(
                        Verdict.GRANTED,
                        Verdict.NO_ENTRY,
                        Verdict.WRONG_INSTANCE,
                        Verdict.INVALID,
                        Verdict.WRONG_TYPE));
        assertEquals(0, region.state().inside());
    }

    @Test
    void nothingComesThroughAWindowAfterItsRegionWasClosed() throws InterruptedException, ExecutionException {
        Target target = new Target();
        MemorySegment memory = Arena.ofAuto().allocate(LENGTH, 8);
        Window window = table.createWindow(domain, Window.Type.TYPE_1);
        Accessor binder = Accessor.local(domain, 1, Right.BIND_WINDOW);
        target.address = memory.address();
        Runnable control = () -> {
            for (int step = 0; step < 20_000; step++) {
                TableRegion region = table.register(domain, memory, Tables.ALL);
                Binding binding = new Binding(
                        MemoryKey.next(window.key()),
                        region.key(),
                        region.address(),
                        LENGTH,
                        Set.of(Right.REMOTE_WRITE));
                assertEquals(Verdict.GRANTED, table.bind(binder, window.key(), binding));
                target.key = window.key();
                while (step % 16 == 0 && memory.get(ValueLayout.JAVA_BYTE, 0) == 0) {
                    Thread.onSpinWait();
                }
                region.close();
                memory.fill((byte) 0);
                assertEquals(0, memory.get(ValueLayout.JAVA_LONG, LENGTH - 8));
                assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 0));
            }
        };
        run(
                target,
                () -> hammer(target),
                control,
                EnumSet.of(
                        Verdict.GRANTED,
                        Verdict.NO_ENTRY,
                        Verdict.WRONG_INSTANCE,
                        Verdict.INVALID,
                        Verdict.WRONG_TYPE,
                        Verdict.REGION_INVALID));
    }

    @Test
    void atomicsOfManyEnginesAddUp() throws InterruptedException, ExecutionException {
        MemorySegment memory = Arena.ofAuto().allocate(8, 8);
        TableRegion region = table.register(domain, memory, Tables.ALL);
        Accessor adder = Accessor.remote(domain, 1, Right.REMOTE_ATOMIC);
        Target target = new Target();
        int each = 50_000;
        Callable<Set<Verdict>> engine = () -> {
            AtomicResult result = new AtomicResult();
            Set<Verdict> seen = EnumSet.noneOf(Verdict.class);
            for (int i = 0; i < each; i++) {
                seen.add(table.fetchAdd(adder, region.key(), region.address(), 3, result));
            }
            return seen;
        };
        run(target, engine, () -> {}, EnumSet.of(Verdict.GRANTED));
        assertEquals(3L * each * ENGINES, memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(0, region.state().inside());
    }

    @Test
    void bindersThatRaceForOneWindowLeaveOneWinner() throws InterruptedException, ExecutionException {
        MemorySegment memory = Arena.ofAuto().allocate(64, 8);
        TableRegion region = table.register(domain, memory, Tables.ALL);
        for (int step = 0; step < 500; step++) {
            Window window = table.createWindow(domain, Window.Type.TYPE_2);
            int key = window.key();
            try (ExecutorService pool = Executors.newFixedThreadPool(ENGINES)) {
                List<Future<Verdict>> verdicts = new ArrayList<>();
                for (int i = 1; i <= ENGINES; i++) {
                    Accessor binder = Accessor.local(domain, i, Right.BIND_WINDOW);
                    Binding binding = new Binding(
                            MemoryKey.of(MemoryKey.index(key), MemoryKey.instance(key) + i),
                            region.key(),
                            region.address(),
                            8,
                            Set.of());
                    verdicts.add(pool.submit(() -> table.bind(binder, key, binding)));
                }
                int winners = 0;
                for (Future<Verdict> verdict : verdicts) {
                    winners += verdict.get().granted() ? 1 : 0;
                }
                assertEquals(1, winners);
            }
            window.close();
        }
    }

    @Test
    void anyKeyAddressAndLengthGetsAVerdictAndNoException() {
        MemorySegment memory = Arena.ofAuto().allocate(256, 8);
        List<Integer> keys = new ArrayList<>(List.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 255, 256));
        keys.add(table.register(domain, memory, Tables.ALL).key());
        keys.add(table.createWindow(domain, Window.Type.TYPE_1).key());
        MemorySegment packet = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(512));
        AtomicResult result = new AtomicResult();
        Accessor adder = Accessor.remote(domain, 1, Right.REMOTE_ATOMIC);
        Seed seed = new Seed(11);
        int granted = 0;
        for (int step = 0; step < 500_000; step++) {
            int key = seed.nextInt(4) == 0 ? (int) seed.nextLong() : keys.get(seed.nextInt(keys.size()));
            long address = seed.nextInt(4) == 0 ? seed.nextLong() : memory.address() + seed.nextInt(300) - 20;
            int length = seed.nextInt(4) == 0 ? (int) seed.nextLong() : seed.nextInt(300);
            Verdict verdict = table.judge(writer, key, address, length);
            assertEquals(verdict, table.place(writer, key, address, packet, 0, length));
            assertEquals(verdict, table.gather(writer, key, address, packet, 0, length));
            boolean sound = table.fetchAdd(adder, key, address, 1, result) != Verdict.BACKING_CLOSED;
            assertTrue(sound);
            granted += verdict.granted() ? 1 : 0;
        }
        assertTrue(granted > 1000);
    }
}
