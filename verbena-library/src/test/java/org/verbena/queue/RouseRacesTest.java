package org.verbena.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.interleave.WovenLoader;

/** Waits, completions and wake-ups in every order that a seed gives, down to the single atomic operation. */
final class RouseRacesTest {
    private static final int SEEDS = 100;
    private static final WovenLoader LOADER = new WovenLoader(RouseRacesTest.class, Set.of("org.verbena.queue"));
    private static final MethodHandle RUN = woven();

    private static MethodHandle woven() {
        try {
            var run = LOADER.loadClass(RouseRaces.class.getName()).getDeclaredMethod("run", long.class);
            run.setAccessible(true);
            return MethodHandles.lookup().unreflect(run);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Long> run(long seed) {
        try {
            return (List<Long>) RUN.invokeExact(seed);
        } catch (Throwable wrong) {
            throw new AssertionError("seed " + seed + ": " + wrong.getMessage(), wrong);
        }
    }

    @Test
    void noCompletionAndNoWakeUpIsLost() {
        long wakeUps = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Long> figures = run(seed);
            assertEquals(RouseRaces.all(), figures.subList(0, 2), "completions and things taken with seed " + seed);
            assertTrue(figures.get(2) <= figures.get(1), () -> figures.get(2) + " wake-ups: one was taken twice");
            assertEquals(0, figures.get(3), "actors that wait for ever with seed " + seed);
            wakeUps += figures.get(2);
        }
        long found = wakeUps;
        assertTrue(found > SEEDS * 100, () -> found + " wake-ups");
    }
}
