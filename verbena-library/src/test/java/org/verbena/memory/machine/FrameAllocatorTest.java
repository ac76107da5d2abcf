package org.verbena.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

final class FrameAllocatorTest {
    @Test
    void smallRunsShareAnExtentAndLeaveTheOthersWhole() {
        FrameAllocator frames = new FrameAllocator(3);
        assertEquals(0, frames.takeRun(5));
        assertEquals(5, frames.takeRun(11));
        assertEquals(16, frames.takeRun(1));
        assertEquals(32, frames.takeExtent());
        assertEquals(FrameAllocator.NONE, frames.takeExtent());
        assertEquals(15, frames.free());
    }

    @Test
    void anExtentThatGetsItsLastFrameBackIsWholeAgain() {
        FrameAllocator frames = new FrameAllocator(1);
        int run = frames.takeRun(3);
        assertEquals(FrameAllocator.NONE, frames.takeExtent());
        frames.giveBack(run, 3);
        assertEquals(0, frames.takeExtent());
    }

    @Test
    void neighbouringExtentsAreFoundBehindAGap() {
        FrameAllocator frames = new FrameAllocator(6);
        int first = frames.takeExtents(2);
        int second = frames.takeExtents(1);
        frames.giveBack(first, 32);
        assertEquals(48, frames.takeExtents(3));
        assertEquals(FrameAllocator.NONE, frames.takeExtents(3));
        assertEquals(0, frames.takeExtents(2));
        frames.giveBack(second, 16);
    }

    @Test
    void noFrameIsGivenOutTwiceAndNoneIsLostInAnyOrder() {
        for (long value = 0; value < 20; value++) {
            takeAndGiveBack(new Seed(value));
        }
    }

    private static void takeAndGiveBack(Seed seed) {
        FrameAllocator frames = new FrameAllocator(64);
        BitSet taken = new BitSet();
        List<int[]> runs = new ArrayList<>();
        for (int step = 0; step < 2000; step++) {
            if (seed.nextInt(2) == 0) {
                take(frames, taken, runs, 1 + seed.nextInt(40));
            } else if (!runs.isEmpty()) {
                int[] run = runs.remove(seed.nextInt(runs.size()));
                taken.clear(run[0], run[0] + run[1]);
                frames.giveBack(run[0], run[1]);
            }
            assertEquals(64 * 16 - taken.cardinality(), frames.free());
        }
        runs.forEach(run -> frames.giveBack(run[0], run[1]));
        assertEquals(0, frames.takeExtents(64));
    }

    private static void take(FrameAllocator frames, BitSet taken, List<int[]> runs, int wanted) {
        int count = wanted < 16 ? wanted : (wanted / 16) * 16;
        int first = wanted < 16 ? frames.takeRun(count) : frames.takeExtents(count / 16);
        if (first != FrameAllocator.NONE) {
            assertFalse(taken.get(first, first + count).cardinality() > 0);
            taken.set(first, first + count);
            runs.add(new int[] {first, count});
        }
    }
}
