package org.verbena.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class SeedTest {
    @Test
    void drawsAreThoseOfSplitMix64() {
        Seed seed = new Seed(1234567);
        assertEquals(6457827717110365317L, seed.nextLong());
        assertEquals(3203168211198807973L, seed.nextLong());
        assertEquals(-8629252141511181193L, seed.nextLong());
    }

    @Test
    void sameValueGivesTheSameDraws() {
        Seed one = new Seed(-5);
        Seed other = new Seed(one.value());
        for (int i = 0; i < 1000; i++) {
            assertEquals(one.nextInt(1 + i), other.nextInt(1 + i));
            assertEquals(one.nextDouble(), other.nextDouble());
            assertEquals(one.nextBoolean(), other.nextBoolean());
        }
    }

    @Test
    void forkDependsOnValueAndNameOnly() {
        Seed seed = new Seed(42);
        long before = seed.fork("link").nextLong();
        seed.nextLong();
        assertEquals(before, seed.fork("link").nextLong());
        assertNotEquals(before, seed.fork("memory").nextLong());
        assertNotEquals(before, new Seed(43).fork("link").nextLong());
        assertNotEquals(before, seed.fork("link").fork("link").nextLong());
    }

    @Test
    void boundedDrawsStayInBoundsAndReachEveryNumber() {
        Seed seed = new Seed(7);
        int[] seen = new int[10];
        for (int i = 0; i < 10_000; i++) {
            seen[seed.nextInt(10)]++;
        }
        for (int count : seen) {
            assertTrue(count > 850 && count < 1150, () -> "uneven: " + count);
        }
        for (int i = 0; i < 1000; i++) {
            int draw = seed.nextInt(Integer.MAX_VALUE);
            assertTrue(draw >= 0 && draw < Integer.MAX_VALUE);
            assertEquals(0, seed.nextInt(1));
        }
    }

    @Test
    void boundMustBePositive() {
        Seed seed = new Seed(7);
        assertThrows(IllegalArgumentException.class, () -> seed.nextInt(0));
        assertThrows(IllegalArgumentException.class, () -> seed.nextInt(-1));
    }

    @Test
    void chanceFollowsItsProbability() {
        Seed seed = new Seed(9);
        int hits = 0;
        for (int i = 0; i < 100_000; i++) {
            hits += seed.chance(0.01) ? 1 : 0;
            assertTrue(seed.chance(1));
        }
        int counted = hits;
        assertTrue(hits > 850 && hits < 1150, () -> "one in a hundred, counted " + counted);
    }

    @Test
    void noChanceTakesNoDraw() {
        Seed seed = new Seed(3);
        assertFalse(seed.chance(0));
        assertEquals(new Seed(3).nextLong(), seed.nextLong());
    }

    @Test
    void unpredictableSeedsDiffer() {
        assertNotEquals(Seed.unpredictable().nextLong(), Seed.unpredictable().nextLong());
    }

    @Test
    void aDrawOfAnUnpredictableSeedDoesNotGiveTheNextAway() {
        Seed seed = Seed.unpredictable();
        for (int i = 0; i < 200; i++) {
            long seen = seed.nextLong();
            assertNotEquals(successor(seen), seed.nextLong());
        }
        Seed fork = seed.fork("x");
        assertNotEquals(fork.nextLong(), seed.fork("x").nextLong());
        assertThrows(IllegalStateException.class, seed::value);
    }

    /** What the generator that repeats would draw next: its output function can be inverted. */
    private static long successor(long seen) {
        long z = seen ^ seen >>> 31 ^ seen >>> 62;
        z *= 0x319642b2d24d8ec3L;
        z = z ^ z >>> 27 ^ z >>> 54;
        z *= 0x96de1b173f119089L;
        z = z ^ z >>> 30 ^ z >>> 60;
        return new Seed(z).nextLong();
    }

    @Test
    void theGeneratorThatRepeatsIsNoSecret() {
        Seed seed = new Seed(4711);
        long seen = seed.nextLong();
        assertEquals(seed.nextLong(), successor(seen));
    }
}
