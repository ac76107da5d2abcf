package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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
