package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The simulator with memory that comes and goes: overcommitted hosts, overcommitted guests on overcommitted hosts, stores that
 * have no room or fail. {@code -Dverbena.paged.seeds} says how many runs of each scenario, {@code -Dverbena.seed} with which they
 * begin. One run is repeated as {@link SimulationTest} says.
 */
final class PagedSimulationTest {
    private static final long PACKETS = Long.getLong("verbena.packets", 2_000);
    private static final int SEEDS = Integer.getInteger("verbena.paged.seeds", 3);
    private static final long FIRST = Long.getLong("verbena.seed", 1);

    @TestFactory
    List<DynamicTest> everyPromiseIsKeptWhilePagesComeAndGo() {
        return Scenario.paged().stream()
                .map(scenario -> dynamicTest(scenario.name(), () -> run(scenario)))
                .toList();
    }

    private static void run(Scenario scenario) {
        var all = Simulation.Outcome.NONE;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            all = all.plus(Simulation.run(scenario, seed, PACKETS));
        }
        System.out.println("simulation: " + scenario + ": " + all);
        assertTrue(all.faults() > 0, "no page was ever missing");
    }
}
