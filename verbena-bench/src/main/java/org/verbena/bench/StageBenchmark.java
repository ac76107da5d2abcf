package org.verbena.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.ClockPolicy;
import org.verbena.memory.paging.FrameSupply;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/**
 * The cost of pageable memory for a packet: one page or two are translated, pinned and unpinned, in memory of the host (one
 * stage) and of a guest (two stages).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StageBenchmark {
    private static final int FRAMES = 4096;
    private static final int PAGES = 1024;
    private static final int MASK = PAGES - 2;

    private final MemorySegment machine = Arena.ofAuto().allocate((long) FRAMES * Stage.PAGE, Stage.PAGE);
    private final PageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1));
    private final Pager host = new Pager(store, new Frames(FRAMES), new ClockPolicy(FRAMES), null, FRAMES);
    private final Stage hostStage = host.open(PAGES, machine);
    private final Stage guestPhysical = host.open(PAGES + 64, machine);
    private final Pager guest =
            new Pager(store, new Frames(PAGES + 64), new ClockPolicy(PAGES + 64), guestPhysical, PAGES + 64);
    private final Stage guestStage = guest.open(PAGES, machine);
    private int step;

    /** Unused frames, one after another. */
    private static final class Frames implements FrameSupply {
        private final int limit;
        private int next;

        Frames(int limit) {
            this.limit = limit;
        }

        @Override
        public int limit() {
            return limit;
        }

        @Override
        public synchronized int take() {
            return next < limit ? next++ : -1;
        }

        @Override
        public synchronized void giveBack(int frame) {}

        @Override
        public synchronized int free() {
            return limit - next;
        }
    }

    /** Every page has a frame before it is measured. */
    @Setup
    public void touch() {
        for (int page = 0; page < PAGES; page++) {
            touch(hostStage, page);
            touch(guestStage, page);
        }
    }

    private static void touch(Stage stage, long page) {
        if (stage.pin(page, Access.WRITE) < 0) {
            throw new IllegalStateException("page " + page + " of a " + stage + " got no frame");
        }
        stage.unpin(page);
    }

    private int page() {
        step = step * 5 + 1;
        return step & MASK;
    }

    private static long one(Stage stage, long page) {
        long position = stage.pin(page, Access.WRITE);
        stage.unpin(page);
        return position;
    }

    /** As a copy across the end of a page: both pages are pinned first. */
    private static long two(Stage stage, long page) {
        long position = stage.pin(page, Access.WRITE);
        long next = stage.pin(page + 1, Access.WRITE);
        stage.unpin(page + 1);
        stage.unpin(page);
        return position + next;
    }

    @Benchmark
    public long hostOnePage() {
        return one(hostStage, page());
    }

    @Benchmark
    public long hostTwoPages() {
        return two(hostStage, page());
    }

    @Benchmark
    public long guestOnePage() {
        return one(guestStage, page());
    }

    @Benchmark
    public long guestTwoPages() {
        return two(guestStage, page());
    }
}
