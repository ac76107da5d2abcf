package org.verbena.memory.hypervisor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Pinned;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.StoreOptions;

/**
 * Threads that do to paged memory all that can be done, together: copies, views in place, packets with page faults, advice,
 * memories that come and go, resizing, and misuse. Every half of a page carries memory, page and version at both ends; what is read
 * must be of this page and not older than what was finished before, nor newer than what was begun.
 *
 * <p>Has a {@code main}, so that it can have a virtual machine of its own.
 */
final class PagingStress {
    private static final int PAGE = MachineMemory.FRAME;
    private static final int HALF = PAGE / 2;
    private static final int PAGES = 500;
    private static final long MIB = 1 << 20;

    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor writer = Accessor.remote(domain, 1, Right.REMOTE_WRITE);
    private final Accessor reader = Accessor.remote(domain, 1, Right.REMOTE_READ);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Hypervisor hypervisor;
    private final List<Shared> memories = new ArrayList<>();

    private PagingStress(Path directory) {
        hypervisor = Hypervisor.open(
                HypervisorOptions.of(2 * MIB).withMemoryMax(2 * MIB).withStore(StoreOptions.at(directory)));
        for (int id = 1; id <= 2; id++) {
            memories.add(new Shared(id));
        }
    }

    /**
     * Runs it once.
     *
     * @param arguments directory for the page file, threads, steps of each, seed
     */
    public static void main(String[] arguments) {
        run(
                Path.of(arguments[0]),
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                Long.parseLong(arguments[3]));
        System.out.println("survived");
    }

    static void run(Path directory, int threads, int steps, long seed) {
        PagingStress stress = new PagingStress(directory);
        stress.runAll(threads, steps, seed);
        stress.close();
    }

    /** A memory of all threads, and what its pages may hold. */
    private final class Shared {
        final int id;
        final ManagedMemory memory = hypervisor.host().allocate((long) PAGES * PAGE);
        final Region region =
                table.register(domain, memory, 0, Set.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.LOCAL_WRITE));
        final AtomicLongArray begun = new AtomicLongArray(2 * PAGES);
        final AtomicLongArray finished = new AtomicLongArray(2 * PAGES);
        final AtomicIntegerArray writing = new AtomicIntegerArray(PAGES);

        Shared(int id) {
            this.id = id;
        }

        long stamp(int half, long version) {
            return (long) id << 52 | (long) half << 36 | version;
        }

        /** All halves from one on, as many as there are bytes for; one thread at a time for a page. */
        void write(int half, MemorySegment bytes, Consumer<MemorySegment> how) {
            int halves = (int) (bytes.byteSize() / HALF);
            for (int i = 0; i < halves; i++) {
                long version = begun.incrementAndGet(half + i);
                bytes.set(ValueLayout.JAVA_LONG, (long) i * HALF, stamp(half + i, version));
                bytes.set(ValueLayout.JAVA_LONG, (long) (i + 1) * HALF - 8, stamp(half + i, version));
            }
            how.accept(bytes);
            for (int i = 0; i < halves; i++) {
                finished.incrementAndGet(half + i);
            }
        }

        void read(int half, MemorySegment bytes, Consumer<MemorySegment> how) {
            int halves = (int) (bytes.byteSize() / HALF);
            long[] before = new long[halves];
            for (int i = 0; i < halves; i++) {
                before[i] = finished.get(half + i);
            }
            how.accept(bytes);
            for (int i = 0; i < halves; i++) {
                check(half + i, before[i], bytes.get(ValueLayout.JAVA_LONG, (long) i * HALF));
                check(half + i, before[i], bytes.get(ValueLayout.JAVA_LONG, (long) (i + 1) * HALF - 8));
            }
        }

        private void check(int half, long before, long found) {
            long latest = begun.get(half);
            long version = found & 0xf_ffff_ffffL;
            // While all of a page is overwritten it may read as zeros.
            boolean zero = found == 0 && (before == 0 || latest > before);
            if (!zero && (found != stamp(half, version) || version < before || version > latest)) {
                throw new AssertionError("memory " + id + " half " + half + " reads " + Long.toHexString(found)
                        + ", expected a version from " + before + " to " + latest);
            }
        }
    }

    private void runAll(int threads, int steps, long seed) {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long own = seed * 1000 + i * 2L + 1;
            boolean resizes = i == 0;
            all.add(Thread.ofPlatform().name("stress-" + i).start(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    new Actor(own, arena, resizes).run(steps);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        for (Thread thread : all) {
            join(thread);
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("seed " + seed + ": " + failed, failed);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void close() {
        hypervisor.resize(2 * MIB);
        for (Shared shared : memories) {
            shared.region.close();
            shared.memory.close();
        }
        MemoryFigures figures = hypervisor.figures();
        if (figures.pins() + figures.leases() + figures.landings() != 0) {
            throw new AssertionError("something is still kept: " + figures);
        }
        for (int tries = 0; hypervisor.framesFree() < figures.frames() && tries < 10_000; tries++) {
            hypervisor.paging().pager().poke();
            LockSupport.parkNanos(1_000_000);
        }
        if (hypervisor.framesFree() != figures.frames()) {
            throw new AssertionError("frames were lost: " + hypervisor.figures());
        }
        domain.close();
        hypervisor.close();
    }

    private final class Actor {
        private final MemorySegment page;
        private final boolean resizes;
        private final Thread thread = Thread.currentThread();
        private long random;
        private Shared shared = memories.getFirst();
        private int at;

        Actor(long seed, Arena arena, boolean resizes) {
            random = seed;
            page = arena.allocate(PAGE);
            this.resizes = resizes;
        }

        void run(int steps) {
            for (int step = 0; step < steps && failure.get() == null; step++) {
                shared = memories.get(below(memories.size()));
                at = below(4) == 0 ? below(PAGES) : below(PAGES / 4);
                int what = below(1000);
                if (what < 300) {
                    MemorySegment half = page.asSlice(0, HALF);
                    shared.read(2 * at + 1, half, bytes -> shared.memory.read((2L * at + 1) * HALF, bytes));
                } else if (what < 400) {
                    shared.read(2 * at, page, this::gather);
                } else if (what < 700) {
                    alone(what < 450 ? this::overwrite : what < 550 ? this::writeHalf : this::place);
                } else if (what < 900) {
                    alone(this::inPlace);
                } else if (what < 980) {
                    shared.memory.advise(
                            (long) at * PAGE,
                            (long) PAGE * Math.min(PAGES - at, 1 + below(30)),
                            below(2) == 0 ? Advice.PAGE_OUT : Advice.WILL_NEED);
                } else if (what < 990) {
                    comeAndGo();
                } else if (what < 999) {
                    misuse();
                } else if (resizes) {
                    hypervisor.resize(MIB + below(17) * (MIB / 16));
                }
            }
        }

        private void alone(Runnable write) {
            if (shared.writing.compareAndSet(at, 0, 1)) {
                write.run();
                shared.writing.set(at, 0);
            }
        }

        private void overwrite() {
            shared.write(2 * at, page, bytes -> shared.memory.write((long) at * PAGE, bytes));
        }

        private void writeHalf() {
            shared.write(2 * at, page.asSlice(0, HALF), bytes -> shared.memory.write((long) at * PAGE, bytes));
        }

        // --- as an engine does

        private void place() {
            shared.write(2 * at, page, this::placeAll);
        }

        /** In packets of a quarter of a page. */
        private void placeAll(MemorySegment bytes) {
            long address = shared.region.address() + (long) at * PAGE;
            int key = shared.region.key();
            for (int done = 0; done < PAGE; ) {
                int left = PAGE - done;
                int from = done;
                Verdict verdict = table.place(writer, key, address + done, bytes, done, PAGE / 4, left);
                done += advance(
                        true,
                        verdict,
                        fault -> fault.add(writer, key, address + from, PAGE / 4, left, Fault.Intent.OVERWRITE),
                        () -> table.place(writer, key, address + from, bytes, from, PAGE / 4, left));
            }
        }

        private void gather(MemorySegment bytes) {
            long address = shared.region.address() + (long) at * PAGE;
            int key = shared.region.key();
            for (int done = 0; done < PAGE; ) {
                int from = done;
                Verdict verdict = table.gather(reader, key, address + done, bytes, done, PAGE / 4);
                done += advance(
                        false,
                        verdict,
                        fault -> fault.add(reader, key, address + from, PAGE / 4, PAGE - from, Fault.Intent.READ),
                        () -> table.gather(reader, key, address + from, bytes, from, PAGE / 4));
            }
        }

        /**
         * Bytes done: of a page fault, once it was waited for, unless it was given up. For a page to be overwritten only a frame
         * was kept: if another brings the page in just then, it is on its way, and the access has to wait for that.
         */
        private int advance(
                boolean overwrites,
                Verdict verdict,
                java.util.function.Function<Fault, Verdict> add,
                java.util.function.Supplier<Verdict> again) {
            if (verdict == Verdict.GRANTED) {
                return PAGE / 4;
            }
            require(verdict == Verdict.NOT_RESIDENT, verdict);
            AtomicBoolean ended = new AtomicBoolean();
            Fault fault = new Fault(table, _ -> {
                require(ended.compareAndSet(false, true), "told twice");
                LockSupport.unpark(thread);
            });
            require(add.apply(fault) == Verdict.GRANTED, fault);
            boolean patient = below(8) != 0;
            if (!fault.start()) {
                while (patient && !ended.get()) {
                    LockSupport.parkNanos(1_000_000);
                    fault.poke();
                }
            }
            Verdict retried = Verdict.NOT_RESIDENT;
            if (patient) {
                require(fault.outcome() == Verdict.GRANTED, fault);
                retried = again.get();
                boolean onItsWay = overwrites && retried == Verdict.NOT_RESIDENT;
                require(retried == Verdict.GRANTED || onItsWay, retried + " of a leased page");
            }
            fault.release();
            return retried == Verdict.GRANTED ? PAGE / 4 : 0;
        }

        private void require(boolean right, Object what) {
            if (!right) {
                throw new AssertionError(what.toString());
            }
        }

        // --- in place

        private void inPlace() {
            boolean writes = below(2) == 0;
            try (Pinned pinned =
                    shared.memory.pin((long) at * PAGE, PAGE, writes ? Pinned.Mode.WRITE : Pinned.Mode.READ)) {
                MemorySegment segment = pinned.segment();
                if (writes) {
                    shared.write(2 * at, page, bytes -> segment.copyFrom(bytes));
                } else {
                    shared.read(2 * at, page, bytes -> bytes.copyFrom(segment));
                }
            }
        }

        private void comeAndGo() {
            try (ManagedMemory own = hypervisor.host().allocate(20L * PAGE)) {
                for (int i = 0; i < 20; i++) {
                    own.read((long) i * PAGE, page);
                    require(page.mismatch(MemorySegment.ofArray(new byte[PAGE])) == -1, "new memory is not zero");
                    page.fill((byte) i);
                    own.write((long) i * PAGE, page);
                }
                own.advise(0, own.length(), Advice.PAGE_OUT);
                own.read(7L * PAGE, page);
                require(page.get(ValueLayout.JAVA_BYTE, PAGE - 1) == 7, "other bytes in own memory");
            }
        }

        private void misuse() {
            switch (below(4)) {
                case 0 -> {
                    Pinned pinned = shared.memory.pin((long) at * PAGE, PAGE, Pinned.Mode.READ);
                    MemorySegment segment = pinned.segment();
                    pinned.close();
                    pinned.close();
                    refused(() -> segment.get(ValueLayout.JAVA_BYTE, 0));
                    refused(() -> page.copyFrom(segment));
                }
                case 1 -> refused(shared.memory::close);
                case 2 -> {
                    Arena arena = Arena.ofConfined();
                    MemorySegment closed = arena.allocate(PAGE);
                    arena.close();
                    refused(() -> shared.memory.read((long) at * PAGE, closed));
                }
                default -> {
                    Thread.currentThread().interrupt();
                    shared.read(2 * at, page, bytes -> shared.memory.read((long) at * PAGE, bytes));
                    require(Thread.interrupted(), "an interrupt was lost");
                }
            }
        }

        private void refused(Runnable misuse) {
            try {
                misuse.run();
            } catch (IllegalStateException expected) {
                return;
            }
            throw new AssertionError("not refused");
        }

        private int below(int limit) {
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            return (int) (((random >>> 32) * limit) >>> 32);
        }
    }
}
