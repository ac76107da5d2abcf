package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.verbena.adapter.ib.reliable.AnswerWait.Due.NOTHING;
import static org.verbena.adapter.ib.reliable.AnswerWait.Due.PROBE;
import static org.verbena.adapter.ib.reliable.AnswerWait.Due.TIMEOUT;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deadlines of an answer, with round trips that are not measured yet: the first probe is due after a fixed silence. */
final class AnswerWaitTest {
    private static final long SILENCE_NS = RoundTrip.PROBE_FIRST_NS;
    private static final long TIMEOUT_NS = 20 * SILENCE_NS;

    private final AnswerWait wait = new AnswerWait(new Patience(new RoundTrip()));

    @BeforeEach
    void begin() {
        wait.begin(TIMEOUT_NS);
        wait.restart(0);
    }

    @Test
    void nothingIsDueBeforeTheFirstSilenceIsOver() {
        assertEquals(SILENCE_NS, wait.nextNs());
        assertEquals(NOTHING, wait.due(SILENCE_NS - 1));
        assertEquals(PROBE, wait.due(SILENCE_NS));
    }

    @Test
    void eachProbeDoublesTheSilenceBeforeTheNext() {
        assertEquals(PROBE, wait.due(SILENCE_NS));
        assertEquals(3 * SILENCE_NS, wait.nextNs());
        assertEquals(PROBE, wait.due(3 * SILENCE_NS));
        assertEquals(7 * SILENCE_NS, wait.nextNs());
        wait.doubleSilence(7 * SILENCE_NS);
        assertEquals(15 * SILENCE_NS, wait.nextNs());
    }

    @Test
    void theAnswerDeadlineIsATimeoutHoweverManyProbesThereWere() {
        assertEquals(PROBE, wait.due(SILENCE_NS));
        assertEquals(TIMEOUT, wait.due(TIMEOUT_NS));
    }

    @Test
    void aLongTimeoutDoesNotMakeTheProbesRare() {
        long timeoutNs = 8 * AnswerWait.PROBE_MAX_NS;
        wait.begin(timeoutNs);
        wait.restart(0);
        long longestNs = 0;
        for (long nowNs = wait.nextNs(); nowNs < timeoutNs; nowNs = wait.nextNs()) {
            assertEquals(PROBE, wait.due(nowNs));
            longestNs = Math.max(longestNs, wait.nextNs() - nowNs);
        }
        assertEquals(AnswerWait.PROBE_MAX_NS, longestNs);
        assertEquals(TIMEOUT, wait.due(wait.nextNs()));
    }

    @Test
    void aTimeoutOfZeroNeverPasses() {
        wait.begin(0);
        wait.restart(0);
        long nowNs = SILENCE_NS;
        for (int i = 0; i < 100; i++) {
            assertEquals(PROBE, wait.due(nowNs));
            nowNs = wait.nextNs();
        }
    }

    @Test
    void aLateTimerExtendsTheProbeDeadlineOnce() {
        long lateNs = SILENCE_NS + AnswerWait.LATE_NS + 1;
        assertEquals(NOTHING, wait.due(lateNs));
        assertEquals(lateNs + AnswerWait.LATE_NS, wait.nextNs());
        assertEquals(PROBE, wait.due(lateNs + 3 * AnswerWait.LATE_NS), "a second time it is not extended");
    }

    @Test
    void anAnswerWithoutProgressShortensTheSilenceAndLeavesTheAnswerDeadline() {
        assertEquals(PROBE, wait.due(SILENCE_NS));
        wait.onHeard(2 * SILENCE_NS);
        assertEquals(3 * SILENCE_NS, wait.nextNs());
        assertEquals(TIMEOUT, wait.due(TIMEOUT_NS));
    }

    @Test
    void progressTellsWhetherTheNextProbeIsDueEarlier() {
        assertFalse(wait.forgetProbes());
        assertEquals(PROBE, wait.due(SILENCE_NS));
        assertTrue(wait.forgetProbes());
        wait.restart(SILENCE_NS);
        assertEquals(2 * SILENCE_NS, wait.nextNs());
    }

    @Test
    void aNewConnectionBeginsWithTheFirstSilence() {
        assertEquals(PROBE, wait.due(SILENCE_NS));
        wait.begin(TIMEOUT_NS);
        wait.restart(SILENCE_NS);
        assertEquals(2 * SILENCE_NS, wait.nextNs());
    }
}
