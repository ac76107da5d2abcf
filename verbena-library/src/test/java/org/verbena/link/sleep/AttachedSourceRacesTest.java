package org.verbena.link.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.interleave.WovenLoader;

/** Events, sleeps and waits in every order that a seed gives, down to the single atomic operation. */
final class AttachedSourceRacesTest {
    private static final int SEEDS = 100;
    private static final WovenLoader LOADER =
            new WovenLoader(AttachedSourceRacesTest.class, Set.of("org.verbena.link.sleep"));
    private static final MethodHandle RUN = woven();

    private static MethodHandle woven() {
        try {
            var run = LOADER.loadClass(AttachedSourceRaces.class.getName()).getDeclaredMethod("run", long.class);
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
    void noEventIsLostAndTheDriverSleeps() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Long> figures = run(seed);
            assertEquals(AttachedSourceRaces.events(), figures.get(0), "events taken with seed " + seed);
            assertEquals(0, figures.get(2), "actors that wait for ever with seed " + seed);
            assertTrue(figures.get(1) > 100, () -> figures.get(1) + " sleeps");
        }
    }
}
