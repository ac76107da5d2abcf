package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every scenario, many runs of each, until enough packets have been sent. {@code -Dverbena.scenario} and {@code
 * -Dverbena.seed} repeat one run; {@code -Dverbena.packets} says how long a run is.
 */
final class SimulationTest {
    private static final long PACKETS_PER_RUN = Long.getLong("verbena.packets", 40_000);
    private static final long PACKETS_PER_SCENARIO = 100_000;
    private static final long SEED = 1;

    private long packets;
    private long notReady;

    @TestFactory
    List<DynamicTest> everyScenarioKeepsEveryPromise() {
        String only = System.getProperty("verbena.scenario");
        if (only != null) {
            Scenario scenario = Scenario.named(only);
            long seed = Long.getLong("verbena.seed", SEED);
            return List.of(dynamicTest(only + " with seed " + seed, () -> report(scenario, run(scenario, seed))));
        }
        var tests = new ArrayList<DynamicTest>();
        for (Scenario scenario : Scenario.all()) {
            tests.add(dynamicTest(scenario.name(), () -> runMany(scenario)));
        }
        tests.add(dynamicTest("enough happened", this::requireEnough));
        return tests;
    }

    private Simulation.Outcome run(Scenario scenario, long seed) {
        return Simulation.run(scenario, seed, PACKETS_PER_RUN);
    }

    private void runMany(Scenario scenario) {
        var all = new Simulation.Outcome(0, 0, 0, 0, 0);
        for (long seed = SEED; all.packets() < PACKETS_PER_SCENARIO; seed++) {
            all = all.plus(run(scenario, seed));
        }
        packets += all.packets();
        notReady += all.notReady();
        report(scenario, all);
    }

    private static void report(Scenario scenario, Simulation.Outcome outcome) {
        System.out.println("simulation: " + scenario + ": " + outcome);
    }

    private void requireEnough() {
        System.out.println("simulation: " + packets + " packets in all, " + notReady + " answered \"not ready\"");
        assertTrue(packets >= PACKETS_PER_SCENARIO * Scenario.all().size());
        assertTrue(notReady > 0);
    }
}
