package org.verbena.interop.exercise;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.verbena.memory.Advice;
import org.verbena.memory.Hypervisor;
import org.verbena.memory.HypervisorOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Right;
import org.verbena.trace.PagingCounter;
import org.verbena.verbs.Adapter;

/** What an end registers: plain memory, or pages of which most are somewhere else. */
sealed interface ExerciseMemory extends AutoCloseable {
    Region register(Adapter adapter, ProtectionDomain domain, Set<Right> rights);

    /** Memory of the end's that is registered a second time. */
    MemorySegment plain();

    void read(long offset, byte[] target);

    void write(long offset, byte[] source);

    /** Has these bytes somewhere else than in machine memory, if that can be. */
    void sendAway(long offset, long length);

    /** Pages that were somewhere else and needed no page fault, being overwritten whole. */
    long overwrites();

    @Override
    void close();

    /** As it is. */
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
        public void sendAway(long offset, long length) {}

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
     * Eight times machine memory, registered whole, in a real file. What the exercise uses is an eighth of it; somebody else goes
     * round and round in the rest, and the exercise's pages are sent away under the registration again and again: pages in use
     * would stay where they are while a stream passes, as a good eviction policy has it.
     */
    final class Overcommitted implements ExerciseMemory {
        private static final long ADDRESS = 0x10_0000_0000L;
        private static final int PAGE = 4096;
        /** Between 64 pages and the next: the guest's processor is one of ours. */
        private static final long PAUSE_NS = 1_000_000;
        /** Pages of the rest from one sending away to the next. */
        private static final int PAGES_BETWEEN = 512;

        private final Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(ExerciseEnd.LENGTH));
        private final ManagedMemory memory = hypervisor.host().allocate(8L * ExerciseEnd.LENGTH);
        private final Arena arena = Arena.ofShared();
        private final Thread pressure =
                Thread.ofPlatform().daemon().name("pressure").start(this::press);
        private volatile boolean ended;

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

        /** A page that somebody needs at this moment stays, so it is not waited for without end. */
        @Override
        public void sendAway(long offset, long length) {
            memory.advise(offset, length, Advice.PAGE_OUT);
            for (int i = 0; i < 100 && memory.contiguousFrom(offset) > 0; i++) {
                LockSupport.parkNanos(PAUSE_NS);
            }
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
