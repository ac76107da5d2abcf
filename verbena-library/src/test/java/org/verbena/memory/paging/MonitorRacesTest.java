package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.interleave.WovenLoader;

/** Work of a thread that has time is done though an engine's thread, which has none, is inside. */
final class MonitorRacesTest {
    private static final int SEEDS = 20_000;

    private static MethodHandle woven() throws ReflectiveOperationException {
        var loader = new WovenLoader(MonitorRacesTest.class, Set.of("org.verbena.memory.paging"));
        var run = loader.loadClass(MonitorRaces.class.getName()).getDeclaredMethod("run", long.class, boolean.class);
        run.setAccessible(true);
        return MethodHandles.lookup().unreflect(run);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noWorkIsLeftBehind(boolean withTransfers) throws Throwable {
        MethodHandle run = woven();
        List<Long> unfinished = new ArrayList<>();
        int calls = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            int[] found = (int[]) run.invokeExact(seed, withTransfers);
            if (found[0] > 0) {
                unfinished.add(seed);
            }
            calls += found[1];
        }
        assertEquals(List.of(), unfinished, "seeds that leave work behind");
        assertTrue(calls > 0, "no thread was called for help");
    }
}
