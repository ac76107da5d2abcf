package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.verbena.Operation;

/**
 * Every scenario, many runs of each, until enough packets have been sent. {@code -Dverbena.scenario} and {@code
 * -Dverbena.seed} repeat one run; {@code -Dverbena.seed} alone begins with another seed; {@code -Dverbena.packets} says
 * how long a run is.
 */
final class SimulationTest {
    private static final long PACKETS_PER_RUN = Long.getLong("verbena.packets", 20_000);
    private static final long PACKETS_PER_SCENARIO = 640_000;
    private static final int RUNS_MIN = 24;
    private static final long SEED = Long.getLong("verbena.seed", 1);
    private static final long SEEDS_PER_SCENARIO = 1_000;

    private Simulation.Outcome total = Simulation.Outcome.NONE;

    @TestFactory
    List<DynamicTest> everyScenarioKeepsEveryPromise() {
        String only = System.getProperty("verbena.scenario");
        if (only != null) {
            Scenario scenario = Scenario.named(only);
            return List.of(dynamicTest(only + " with seed " + SEED, () -> report(scenario, run(scenario, SEED))));
        }
        var tests = new ArrayList<DynamicTest>();
        for (Scenario scenario : Scenario.all()) {
            long first = SEED + tests.size() * SEEDS_PER_SCENARIO;
            tests.add(dynamicTest(scenario.name(), () -> runMany(scenario, first)));
        }
        tests.add(dynamicTest("enough happened", this::requireEnough));
        return tests;
    }

    private Simulation.Outcome run(Scenario scenario, long seed) {
        return Simulation.run(scenario, seed, PACKETS_PER_RUN);
    }

    private void runMany(Scenario scenario, long first) {
        var all = Simulation.Outcome.NONE;
        for (long seed = first; all.packets() < PACKETS_PER_SCENARIO || seed < first + RUNS_MIN; seed++) {
            all = all.plus(run(scenario, seed));
        }
        total = total.plus(all);
        report(scenario, all);
    }

    private static void report(Scenario scenario, Simulation.Outcome outcome) {
        System.out.println("simulation: " + scenario + ": " + outcome);
    }

    private void requireEnough() {
        System.out.println("simulation: all scenarios: " + total + ", " + total.done());
        assertTrue(total.packets() >= 10_000_000);
        assertTrue(total.notReady() > 1_000);
        for (Operation operation : Appetite.OPERATIONS) {
            assertTrue(total.done().getOrDefault(operation, 0L) > 1_000, () -> operation + " was hardly done");
        }
    }
}
