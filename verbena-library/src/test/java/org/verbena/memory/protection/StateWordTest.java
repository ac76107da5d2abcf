package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.verbena.Verdict;

final class StateWordTest {
    private static final long NOTHING_PROMISED = StateWord.NO_GENERATION;

    private final StateWord word = StateWord.valid();

    @Test
    void thoseInsideAreCounted() {
        assertTrue(word.enter());
        assertTrue(word.enter());
        assertEquals(2, word.inside());
        word.leave();
        word.leave();
        assertEquals(0, word.inside());
        assertEquals(Verdict.GRANTED, word.verdict());
    }

    @Test
    void nobodyEntersWhatIsInvalidAndARefusalIsNotCounted() {
        assertTrue(word.invalidate());
        assertFalse(word.enter());
        assertEquals(0, word.inside());
        assertEquals(Verdict.INVALID, word.verdict());
    }

    @Test
    void invalidationKeepsTheCountOfThoseInside() {
        assertTrue(word.enter());
        assertTrue(word.invalidate());
        assertEquals(1, word.inside());
        word.leave();
        word.awaitNobodyInside();
    }

    @Test
    void invalidationIsForGood() {
        assertTrue(word.invalidate());
        assertFalse(word.invalidate());
        assertFalse(word.resume());
        assertFalse(word.requestQuiesce());
        assertFalse(StateWord.invalid().resume());
    }

    @Test
    void invalidationWaitsForNoOperation() {
        assertEquals(StateWord.Beginning.BEGUN, word.beginOperation());
        assertTrue(word.invalidate());
        word.awaitNobodyInside();
        assertEquals(StateWord.Ending.ENDED, word.endOperation());
    }

    @Test
    void quiesceLetsCopiesOnUntilItIsCompleteAndThoseInsideFinish() {
        assertTrue(word.enter());
        assertTrue(word.requestQuiesce());
        assertTrue(word.enter());
        assertTrue(word.completeQuiesce(NOTHING_PROMISED));
        assertEquals(Verdict.QUIESCED, word.verdict());
        assertFalse(word.enter());
        assertEquals(2, word.inside());
        word.leave();
        word.leave();
        word.awaitNobodyInside();
    }

    @Test
    void quiesceWaitsForOperationsAndTheLastOneSaysSo() {
        assertEquals(StateWord.Beginning.BEGUN, word.beginOperation());
        assertEquals(StateWord.Beginning.BEGUN, word.beginOperation());
        assertTrue(word.requestQuiesce());
        assertEquals(StateWord.Beginning.QUIESCING, word.beginOperation());
        assertEquals(StateWord.Ending.ENDED, word.endOperation());
        assertFalse(word.completeQuiesce(NOTHING_PROMISED));
        assertEquals(StateWord.Ending.LAST, word.endOperation());
        assertTrue(word.completeQuiesce(NOTHING_PROMISED));
        assertEquals(StateWord.Ending.NONE, word.endOperation());
    }

    @Test
    void aPromiseHoldsForTheQuiesceItWasMadeFor() {
        assertEquals(StateWord.Beginning.BEGUN, word.beginOperation());
        assertEquals(NOTHING_PROMISED, word.quiescingGeneration());
        assertTrue(word.requestQuiesce());
        long promised = word.quiescingGeneration();
        assertTrue(word.resume());
        assertTrue(word.requestQuiesce());
        assertFalse(word.completeQuiesce(promised));
        assertTrue(word.completeQuiesce(word.quiescingGeneration()));
        assertEquals(1, word.operations());
    }

    @Test
    void quiesceIsNotCompletedUnlessAskedFor() {
        assertFalse(word.completeQuiesce(NOTHING_PROMISED));
        assertTrue(word.isValid());
    }

    @Test
    void quiesceIsAskedForOnce() {
        assertTrue(word.requestQuiesce());
        assertFalse(word.requestQuiesce());
    }

    @Test
    void resumeMakesAQuiescedWordValidAgainInANewGeneration() {
        int before = word.generation();
        assertTrue(word.requestQuiesce());
        assertTrue(word.completeQuiesce(NOTHING_PROMISED));
        assertTrue(word.resume());
        assertTrue(word.enter());
        assertEquals(before + 2, word.generation());
    }

    @Test
    void aQuiescedWordCanStillBeInvalidatedForGood() {
        assertTrue(word.requestQuiesce());
        assertTrue(word.completeQuiesce(NOTHING_PROMISED));
        assertTrue(word.invalidate());
        assertEquals(Verdict.INVALID, word.verdict());
        assertFalse(word.resume());
        assertEquals(StateWord.Beginning.INVALID, word.beginOperation());
    }

    @Test
    void aFullCountRefusesAndTouchesNoNeighbour() {
        for (int i = 0; i < StateWord.INSIDE_MAX; i++) {
            assertTrue(word.enter());
        }
        assertFalse(word.enter());
        assertEquals(0, word.operations());
        for (int i = 0; i < StateWord.OPERATIONS_MAX; i++) {
            assertEquals(StateWord.Beginning.BEGUN, word.beginOperation());
        }
        assertEquals(StateWord.Beginning.TOO_MANY, word.beginOperation());
        assertEquals("GRANTED, inside 1023, operations 1048575, generation 0", word.toString());
        assertFalse(word.isQuiescing());
    }
}
