package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.interleave.WovenLoader;

/**
 * Pin, evict, fault, invalidate, swap out, deregister, resize and close in every order a seed can think of, down to the single
 * compare-and-set. Which breaches of the rules it was seen to find: docs/internals/paging.md.
 */
final class RegionRacesTest {
    /** A longer run by hand: {@code -Dverbena.races.steps=… -Dverbena.races.seed=…}. */
    private static final long STEPS = Long.getLong("verbena.races.steps", 100_000_000);

    private static final long SEED = Long.getLong("verbena.races.seed", 4);
    private static final WovenLoader LOADER = new WovenLoader(
            RegionRacesTest.class,
            Set.of(
                    "org.verbena.memory",
                    "org.verbena.memory.faults",
                    "org.verbena.memory.hypervisor",
                    "org.verbena.memory.machine",
                    "org.verbena.memory.paging",
                    "org.verbena.memory.protection",
                    "org.verbena.memory.swapping",
                    "org.verbena.memory.translation",
                    "org.verbena.pool"));
    private static final MethodHandle RUN = woven();

    private static MethodHandle woven() {
        try {
            Class<?> races = LOADER.loadClass(RegionRaces.class.getName());
            var run = races.getDeclaredMethod("run", long.class, long.class, boolean.class);
            run.setAccessible(true);
            return MethodHandles.lookup().unreflect(run);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Long> run(long seed, long steps, boolean s3) {
        try {
            var figures = (Map<String, Long>) RUN.invokeExact(seed, steps, s3);
            System.out.println("region races, seed " + seed + ": " + figures);
            return figures;
        } catch (Throwable wrong) {
            throw new AssertionError("region races, seed " + seed + ": " + wrong.getMessage(), wrong);
        }
    }

    @Test
    void nobodyEverSeesAnothersBytes() {
        Map<String, Long> figures = run(SEED, STEPS, false);
        requireAtLeast(STEPS / 100, figures, "GRANTED");
        requireAtLeast(STEPS / 2000, figures, "NOT_RESIDENT");
        requireAtLeast(STEPS / 2000, figures, "EVICTIONS");
        requireAtLeast(STEPS / 2000, figures, "QUIESCED");
        requireAtLeast(STEPS / 50_000, figures, "swapped out");
        requireAtLeast(STEPS / 50_000, figures, "swapped in");
        requireAtLeast(STEPS / 50_000, figures, "deregistered");
        requireAtLeast(STEPS / 500_000, figures, "memories closed");
        requireAtLeast(STEPS / 2_000_000, figures, "guests closed");
        requireAtLeast(STEPS / 500_000, figures, "resized");
        requireAtLeast(STEPS / 50_000, figures, "windows bound");
        requireAtLeast(STEPS / 50_000, figures, "windows invalidated");
        requireAtLeast(STEPS / 50_000, figures, "REGION_INVALID");
        requireAtLeast(STEPS / 50_000, figures, "mapped by a driver");
        requireAtLeast(STEPS / 50_000, figures, "moved by a driver");
        requireAtLeast(STEPS / 500_000, figures, "driven regions swapped out");
        requireAtLeast(STEPS / 5_000, figures, "pages freed");
    }

    /** A run that never met what it is about would say nothing. */
    private static void requireAtLeast(long least, Map<String, Long> figures, String what) {
        assertTrue(figures.getOrDefault(what, 0L) >= least, () -> "at least " + least + " " + what + ": " + figures);
    }

    /** A room that is not woven would leave its atomic operations without interleaving. */
    @Test
    void everyRoomOfMemoryIsWoven() {
        run(9, 500_000, false);
        System.out.println("woven points: " + LOADER.woven() + ", left out: " + LOADER.unwoven());
        assertEquals(
                Set.of("org.verbena.memory.store", "org.verbena.time", "org.verbena.trace"),
                LOADER.unwoven().keySet());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void otherSeedsAndTheOtherPolicy(long seed) {
        requireAtLeast(5_000, run(seed, 1_000_000, true), "GRANTED");
    }

    @Test
    void sameSeedSameRun() {
        assertEquals(run(9, 500_000, false), run(9, 500_000, false));
    }
}
