package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LayoutTest {
    @Test
    void withoutVerificationOneSlotServesAll() {
        Layout layout = new Layout(PerfPlan.of(PerfOperation.WRITE, PerfMode.BANDWIDTH));
        assertEquals(layout.source(0), layout.source(17));
        assertEquals(layout.landing(0), layout.landing(17));
        assertEquals(2 * 65536, layout.bytes());
    }

    @ParameterizedTest
    @EnumSource(PerfOperation.class)
    void withVerificationOutstandingMessagesHaveTheirOwnSlots(PerfOperation operation) {
        PerfPlan plan = PerfPlan.of(operation, PerfMode.BANDWIDTH)
                .withSize(8)
                .withDepth(5, 1)
                .withVerify(true);
        Layout layout = new Layout(plan);
        Set<Long> used = new HashSet<>();
        for (int message = 0; message < 5; message++) {
            assertTrue(used.add(layout.source(message)));
            assertTrue(used.add(layout.landing(message)));
            assertTrue(layout.landing(message) + 8 <= layout.bytes());
            assertEquals(0, layout.landing(message) % 8, "atomics want it aligned");
        }
        assertEquals(0, layout.landingSlots() % layout.sourceSlots(), "requests repeat with both");
    }

    @Test
    void writesWithImmediateNeverLandWhereOneIsStillLookedAt() {
        Layout layout = new Layout(
                PerfPlan.of(PerfOperation.WRITE_IMM, PerfMode.BANDWIDTH).withVerify(true));
        assertTrue(layout.landingSlots() > layout.receives());
    }
}
