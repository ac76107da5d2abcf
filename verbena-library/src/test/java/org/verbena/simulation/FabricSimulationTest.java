package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every scenario over a fabric of three switches, the paged ones too. {@code -Dverbena.fabric.packets} says how many packets of each scenario go
 * over switches: 300000 make ten million together. The first run of each scenario happens twice, with one history. One run is repeated as {@link
 * SimulationTest} says.
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
        int scenarios = tests.size();
        tests.add(dynamicTest("enough happened", () -> requireEnough(scenarios)));
        return tests;
    }

    private void requireEnough(int scenarios) {
        report("all scenarios over a fabric", total);
        assertTrue(total.switched() >= scenarios * PACKETS_PER_SCENARIO, "packets that went over switches");
    }

    private void run(Scenario scenario, long first) {
        boolean paged = scenario.paging() != Scenario.Paging.NONE;
        long packets = paged ? PACKETS_PER_PAGED_RUN : PACKETS_PER_RUN;
        var all = Simulation.run(scenario, first, packets);
        assertEquals(all, Simulation.run(scenario, first, packets), "the same seed has another history");
        long next = first + 1;
        for (; all.switched() < PACKETS_PER_SCENARIO; next++) {
            all = all.plus(Simulation.run(scenario, next, packets));
        }
        total = total.plus(all);
        report(scenario.name() + " with seeds " + first + " to " + (next - 1), all);
        assertTrue(!paged || all.faults() > 0, "no page was ever missing");
    }

    private static void report(String name, Simulation.Outcome outcome) {
        System.out.println("simulation: " + name + ": " + outcome);
    }
}
