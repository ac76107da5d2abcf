package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every scenario over a fabric of three switches, the paged ones too. {@code -Dverbena.fabric.packets} says how many packets of each scenario:
 * 350000 make ten million together. One run is repeated as {@link SimulationTest} says.
 */
final class FabricSimulationTest {
    private static final long PACKETS_PER_RUN = Long.getLong("verbena.packets", 5_000);
    private static final long PACKETS_PER_PAGED_RUN = Long.getLong("verbena.packets", 2_000);
    private static final long PACKETS_PER_SCENARIO = Long.getLong("verbena.fabric.packets", 10_000);
    private static final long FIRST = Long.getLong("verbena.seed", 1);
    private static final long SEEDS_PER_SCENARIO = 100_000;

    private Simulation.Outcome total = Simulation.Outcome.NONE;

    @TestFactory
    List<DynamicTest> everyPromiseIsKeptOverThreeSwitches() {
        var tests = new ArrayList<DynamicTest>();
        Stream.concat(Scenario.all().stream(), Scenario.paged().stream())
                .map(Scenario::overSwitches)
                .forEach(scenario -> {
                    long first = FIRST + tests.size() * SEEDS_PER_SCENARIO;
                    tests.add(dynamicTest(scenario.name(), () -> run(scenario, first)));
                });
        tests.add(dynamicTest("all together", () -> report("all scenarios over a fabric", total)));
        return tests;
    }

    private void run(Scenario scenario, long first) {
        boolean paged = scenario.paging() != Scenario.Paging.NONE;
        long packets = paged ? PACKETS_PER_PAGED_RUN : PACKETS_PER_RUN;
        var all = Simulation.Outcome.NONE;
        for (long seed = first; all.packets() < PACKETS_PER_SCENARIO; seed++) {
            all = all.plus(Simulation.run(scenario, seed, packets));
        }
        total = total.plus(all);
        report(scenario.name(), all);
        assertTrue(!paged || all.faults() > 0, "no page was ever missing");
    }

    private static void report(String name, Simulation.Outcome outcome) {
        System.out.println("simulation: " + name + ": " + outcome);
    }
}
