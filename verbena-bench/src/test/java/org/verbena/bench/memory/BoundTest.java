package org.verbena.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

final class BoundTest {
    /** The example every textbook has: nine faults of twenty accesses with three frames. */
    @Test
    void theTextbooksExampleHasNineFaults() {
        int[] trace = {7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1};
        assertEquals(trace.length - 9, Bound.belady(trace, 3, 0));
        assertEquals(trace.length - 12, Bound.leastRecentlyUsed(trace, 3, 0));
    }

    @Test
    void nothingIsBetterThanTheBoundAndTheBoundIsReachable() {
        Seed seed = new Seed(3);
        for (int i = 0; i < 200; i++) {
            int[] trace = Trace.UNIFORM.draw(5, 12, seed);
            int best = best(trace, 0, new HashSet<>(), 2);
            assertEquals(best, Bound.belady(trace, 2, 0), () -> Arrays.toString(trace));
            assertTrue(Bound.leastRecentlyUsed(trace, 2, 0) <= best);
        }
    }

    /** Tries every choice there is. */
    private static int best(int[] trace, int from, Set<Integer> resident, int frames) {
        if (from == trace.length) {
            return 0;
        }
        if (resident.contains(trace[from])) {
            return 1 + best(trace, from + 1, resident, frames);
        }
        if (resident.size() < frames) {
            return best(trace, from + 1, with(resident, trace[from]), frames);
        }
        int most = 0;
        for (int victim : resident) {
            Set<Integer> left = with(resident, trace[from]);
            left.remove(victim);
            most = Math.max(most, best(trace, from + 1, left, frames));
        }
        return most;
    }

    private static Set<Integer> with(Set<Integer> resident, int page) {
        Set<Integer> more = new HashSet<>(resident);
        more.add(page);
        return more;
    }

    @Test
    void accessesBeforeTheCountAreNotCounted() {
        int[] trace = {0, 0, 0, 1, 0, 1};
        assertEquals(4, Bound.belady(trace, 2, 0));
        assertEquals(2, Bound.belady(trace, 2, 4));
        assertEquals(2, Bound.leastRecentlyUsed(trace, 2, 4));
    }
}
