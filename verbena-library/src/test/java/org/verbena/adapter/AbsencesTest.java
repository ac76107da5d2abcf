package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is learned of consumers that are away. */
final class AbsencesTest {
    private final Absences absences = new Absences();

    /** A consumer that takes this many completions, one call each, and then is away. */
    private void beAway(int times, int callsBetween) {
        for (int i = 0; i < times; i++) {
            for (int call = 0; call < callsBetween; call++) {
                absences.onReturn(1_000);
            }
            absences.onReturn(Absences.LONG_NS);
        }
    }

    @Test
    void aFirstAbsenceIsNotUsual() {
        assertFalse(absences.areUsual());
        beAway(1, 0);
        assertFalse(absences.areUsual());
    }

    @Test
    void aConsumerThatIsAwayAfterAFewCallsIsLearned() {
        beAway(10, 3);
        assertTrue(absences.areUsual());
    }

    @Test
    void aConsumerThatIsSeldomAwayIsNot() {
        beAway(1_000, 2 * Absences.SHORT_PER_LONG);
        assertFalse(absences.areUsual());
    }

    @Test
    void whatIsLearnedIsForgottenSoon() {
        beAway(1_000, 0);
        assertTrue(absences.areUsual());
        for (int i = 0; i < 100; i++) {
            absences.onReturn(Absences.LONG_NS - 1);
        }
        assertFalse(absences.areUsual());
    }
}
