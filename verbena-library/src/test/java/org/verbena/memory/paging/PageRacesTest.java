package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pin, fault, evict, rescue, invalidate and close in every order a seed can think of. */
final class PageRacesTest {
    /** A longer run by hand: {@code -Dverbena.races.page.steps=… -Dverbena.races.seed=…}. */
    private static final long STEPS = Long.getLong("verbena.races.page.steps", 20_000_000);

    private static final long SEED = Long.getLong("verbena.races.seed", 4);

    @Test
    void noAccessSeesBytesOfAnotherPage() {
        PageRaces races = run(SEED, STEPS, false);
        assertTrue(races.waits > STEPS / 1000, races.summary());
        assertTrue(races.closes > STEPS / 1_000_000, races.summary());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void otherSeedsAndTheOtherPolicy(long seed) {
        assertTrue(run(seed, 1_000_000, true).reads > 0);
    }

    @Test
    void sameSeedSameRun() {
        PageRaces one = run(9, 300_000, false);
        PageRaces other = run(9, 300_000, false);
        assertEquals(one.digest, other.digest);
        assertEquals(one.summary(), other.summary());
    }

    private static PageRaces run(long seed, long steps, boolean s3) {
        try (Arena arena = Arena.ofConfined()) {
            PageRaces races = new PageRaces(seed, arena, s3);
            races.run(steps);
            races.finish();
            return races;
        }
    }
}
