package org.verbena.memory.swapping;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.interleave.WovenLoader;

/** Calls that swap one region, interleaved at each lock. */
final class SwapRacesTest {
    private static final int SEEDS = 200;

    private static MethodHandle woven() throws ReflectiveOperationException {
        var loader = new WovenLoader(SwapRacesTest.class, Set.of("org.verbena.memory.swapping"));
        var run = loader.loadClass(SwapRaces.class.getName()).getDeclaredMethod("run", long.class);
        run.setAccessible(true);
        return MethodHandles.lookup().unreflect(run);
    }

    @Test
    void aSwapInEndsThoughASwapOutBeginsMeanwhile() throws Throwable {
        MethodHandle run = woven();
        List<Long> unended = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            boolean ended = (boolean) run.invokeExact(seed);
            if (!ended) {
                unended.add(seed);
            }
        }
        assertEquals(List.of(), unended, "seeds whose swap-in never ends");
    }
}
