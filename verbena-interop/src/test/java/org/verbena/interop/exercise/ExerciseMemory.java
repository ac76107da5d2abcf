package org.verbena.interop.exercise;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.verbena.Right;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.trace.PagingCounter;
import org.verbena.verbs.Adapter;

/** The memory that an end registers: plain, or paged with most of its pages swapped out. */
sealed interface ExerciseMemory extends AutoCloseable {
    Region register(Adapter adapter, ProtectionDomain domain, Set<Right> rights);

    /** The same memory in one piece, for a second registration. */
    MemorySegment plain();

    void read(long offset, byte[] target);

    void write(long offset, byte[] source);

    /**
     * Swaps out the pages of a range: on return none of them is in machine memory, and the next access to each needs the page
     * store. No access to them is under way. Does nothing if the memory is not paged.
     */
    void swapOut(long offset, long length);

    /** Number of pages that were swapped out and needed no page fault, because an access overwrote the whole page. */
    long overwrites();

    @Override
    void close();

    /** Ordinary memory. */
    final class Plain implements ExerciseMemory {
        private final Arena arena = Arena.ofShared();
        private final MemorySegment memory = arena.allocate(ExerciseEnd.LENGTH, 4096);

        @Override
        public Region register(Adapter adapter, ProtectionDomain domain, Set<Right> rights) {
            return adapter.register(domain, memory, rights);
        }

        @Override
        public MemorySegment plain() {
            return memory;
        }

        @Override
        public void read(long offset, byte[] target) {
            MemorySegment.ofArray(target).copyFrom(memory.asSlice(offset, target.length));
        }

        @Override
        public void write(long offset, byte[] source) {
            memory.asSlice(offset, source.length).copyFrom(MemorySegment.ofArray(source));
        }

        @Override
        public void swapOut(long offset, long length) {}

        @Override
        public String toString() {
            return "plain memory";
        }

        @Override
        public long overwrites() {
            return 0;
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /**
     * Paged memory of eight times the machine memory, registered whole, with its pages in a real file. The exercise uses the first
     * eighth. A thread writes to the rest page by page without end, and advises again and again to swap out the exercise's
     * pages: without the advice the eviction policy would keep pages that are used often.
     *
     * <p>Each page of the exercise has contents in the page store from the beginning: a page that was never written is filled
     * with zeros without a page fault.
     */
    final class Overcommitted implements ExerciseMemory {
        private static final long ADDRESS = 0x10_0000_0000L;
        private static final int PAGE = 4096;
        /** Pause after each 64 pages: the virtual machine needs a processor too. */
        private static final long PAUSE_NS = 1_000_000;
        /** Pages written to the rest between two advices. */
        private static final int PAGES_BETWEEN = 512;

        private static final Duration PATIENCE = Duration.ofSeconds(30);

        private final Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(ExerciseEnd.LENGTH));
        private final ManagedMemory memory = hypervisor.host().allocate(8L * ExerciseEnd.LENGTH);
        private final Arena arena = Arena.ofShared();
        private final Thread pressure;
        private volatile boolean ended;

        Overcommitted() {
            touchLastBytes();
            pressure = Thread.ofPlatform().daemon().name("pressure").start(this::press);
        }

        /** Makes each page of the exercise dirty, in a byte that no scenario expects to be zero. */
        private void touchLastBytes() {
            byte[] one = {1};
            for (long end = PAGE; end <= ExerciseEnd.LENGTH; end += PAGE) {
                write(end - 1, one);
            }
        }

        private void press() {
            MemorySegment one = arena.allocate(1);
            for (long page = 0; !ended; page++) {
                long offset = ExerciseEnd.LENGTH + page * PAGE % (7L * ExerciseEnd.LENGTH);
                memory.write(offset, one);
                if (page % PAGES_BETWEEN == 0) {
                    memory.advise(0, ExerciseEnd.LENGTH, Advice.PAGE_OUT);
                }
                if (page % 64 == 0) {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        }

        @Override
        public Region register(Adapter adapter, ProtectionDomain domain, Set<Right> rights) {
            return adapter.register(domain, memory, ADDRESS, rights);
        }

        @Override
        public MemorySegment plain() {
            throw new UnsupportedOperationException("paged memory is not in one piece");
        }

        @Override
        public void read(long offset, byte[] target) {
            memory.read(offset, MemorySegment.ofArray(target));
        }

        @Override
        public void write(long offset, byte[] source) {
            memory.write(offset, MemorySegment.ofArray(source));
        }

        /** Advises again while a page stays: one that the page store wrote at that moment may have been kept. */
        @Override
        public void swapOut(long offset, long length) {
            long beganNs = System.nanoTime();
            while (isAnyResident(offset, length)) {
                if (System.nanoTime() - beganNs > PATIENCE.toNanos()) {
                    throw new AssertionError("pages stay in machine memory; " + memory.residency() + "; " + this);
                }
                memory.advise(offset, length, Advice.PAGE_OUT);
                LockSupport.parkNanos(PAUSE_NS);
            }
        }

        private boolean isAnyResident(long offset, long length) {
            for (long page = offset / PAGE * PAGE; page < offset + length; page += PAGE) {
                if (memory.contiguousFrom(page) > 0) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return hypervisor.figures().toString();
        }

        @Override
        public long overwrites() {
            return hypervisor.counters().value(PagingCounter.OVERWRITES);
        }

        @Override
        public void close() {
            ended = true;
            try {
                pressure.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            memory.close();
            hypervisor.close();
            arena.close();
        }
    }
}
