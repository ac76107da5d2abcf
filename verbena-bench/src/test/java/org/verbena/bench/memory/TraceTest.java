package org.verbena.bench.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.time.Seed;

final class TraceTest {
    @ParameterizedTest
    @EnumSource(Trace.class)
    void theSameSeedGivesTheSameTraceAndEveryPageIsOne(Trace trace) {
        int[] drawn = trace.draw(100, 5000, new Seed(1));
        assertArrayEquals(drawn, trace.draw(100, 5000, new Seed(1)));
        assertEquals(5000, drawn.length);
        assertTrue(Arrays.stream(drawn).allMatch(page -> page >= 0 && page < 100));
        assertTrue(Arrays.stream(drawn).distinct().count() > 60);
    }

    @Test
    void ranksAreAsProbableAsTheirLawSays() {
        Zipf zipf = new Zipf(1000, 0.99);
        assertEquals(Math.pow(2, 0.99), zipf.probability(0) / zipf.probability(1), 1e-9);
        assertEquals(Math.pow(10, 0.99), zipf.probability(0) / zipf.probability(9), 1e-9);
        assertEquals(0, zipf.rank(0));
        assertEquals(0, zipf.rank(zipf.probability(0) - 1e-9));
        assertEquals(1, zipf.rank(zipf.probability(0)));
        assertEquals(999, zipf.rank(Math.nextDown(1.0)));
    }

    @Test
    void drawsFollowTheLaw() {
        Seed seed = new Seed(5);
        Zipf zipf = new Zipf(100, 0.99);
        int first = 0;
        for (int i = 0; i < 100_000; i++) {
            first += zipf.rank(seed.nextDouble()) == 0 ? 1 : 0;
        }
        assertEquals(zipf.probability(0), first / 1e5, 0.01);
    }

    @Test
    void scansOfAMixAreOfTheOtherHalf() {
        int[] drawn = Trace.ZIPF_AND_SCAN.draw(1000, 512, new Seed(1));
        for (int i = 0; i < 256; i++) {
            assertTrue(drawn[i] < 500);
            assertEquals(500 + i, drawn[256 + i]);
        }
    }
}
