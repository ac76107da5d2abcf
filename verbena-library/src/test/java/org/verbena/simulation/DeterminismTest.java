package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The proof that a failing run can be repeated: a seed decides everything. */
final class DeterminismTest {
    private static final Scenario SCENARIO = Scenario.named("all-1");
    private static final long PACKETS = 10_000;

    @Test
    void theSameSeedGivesTheSameTrace() {
        for (long seed = 1; seed <= 6; seed++) {
            assertEquals(Simulation.run(SCENARIO, seed, PACKETS), Simulation.run(SCENARIO, seed, PACKETS));
        }
    }

    /** Pages that come and go, at both stages, and a store that fails. */
    @Test
    void theSameSeedGivesTheSameTraceOfPages() {
        for (String name : List.of("paged-all-1", "guests-all-1", "failing-all-1")) {
            Scenario scenario = Scenario.named(name);
            assertEquals(Simulation.run(scenario, 2, 3_000), Simulation.run(scenario, 2, 3_000), name);
        }
    }

    /** Three switches between the nodes. */
    @Test
    void theSameSeedGivesTheSameTraceOverAFabric() {
        for (String name : List.of("fabric-all-1", "fabric-paged-all-1")) {
            Scenario scenario = Scenario.named(name);
            assertEquals(Simulation.run(scenario, 3, 3_000), Simulation.run(scenario, 3, 3_000), name);
        }
        assertNotEquals(
                Simulation.run(Scenario.named("fabric-all-1"), 3, 3_000).hash(),
                Simulation.run(Scenario.named("fabric-all-1"), 4, 3_000).hash());
    }

    @Test
    void anotherSeedGivesAnotherTrace() {
        assertNotEquals(
                Simulation.run(SCENARIO, 7, PACKETS).hash(),
                Simulation.run(SCENARIO, 8, PACKETS).hash());
    }

    @Test
    void anotherScenarioGivesAnotherTrace() {
        assertNotEquals(
                Simulation.run(SCENARIO, 7, PACKETS).hash(),
                Simulation.run(Scenario.named("all-0.1"), 7, PACKETS).hash());
    }
}
