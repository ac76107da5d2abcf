package org.verbena.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class StateWordTest {
    private final StateWord word = StateWord.valid();

    @Test
    void thoseInsideAreCounted() {
        assertTrue(word.enter());
        assertTrue(word.enter());
        assertEquals(2, word.count());
        word.leave();
        word.leave();
        assertEquals(0, word.count());
        assertEquals(Verdict.GRANTED, word.verdict());
    }

    @Test
    void nobodyEntersWhatIsInvalidAndARefusalIsNotCounted() {
        assertTrue(word.invalidate());
        assertFalse(word.enter());
        assertEquals(0, word.count());
        assertEquals(Verdict.INVALID, word.verdict());
    }

    @Test
    void invalidationKeepsTheCountOfThoseInside() {
        assertTrue(word.enter());
        assertTrue(word.invalidate());
        assertEquals(1, word.count());
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
    void quiesceWaitsForThoseInsideAndLetsAccessesOnUntilThen() {
        assertTrue(word.enter());
        assertTrue(word.requestQuiesce());
        assertFalse(word.completeQuiesce());
        assertTrue(word.enter());
        word.leave();
        word.leave();
        assertTrue(word.completeQuiesce());
        assertEquals(Verdict.QUIESCED, word.verdict());
        assertFalse(word.enter());
    }

    @Test
    void quiesceIsNotCompletedUnlessAskedFor() {
        assertFalse(word.completeQuiesce());
        assertTrue(word.isValid());
    }

    @Test
    void resumeMakesAQuiescedWordValidAgainInANewGeneration() {
        int before = word.generation();
        assertTrue(word.requestQuiesce());
        assertTrue(word.completeQuiesce());
        assertTrue(word.resume());
        assertTrue(word.enter());
        assertEquals(before + 1, word.generation());
    }

    @Test
    void aQuiescedWordCanStillBeInvalidatedForGood() {
        assertTrue(word.requestQuiesce());
        assertTrue(word.completeQuiesce());
        assertTrue(word.invalidate());
        assertEquals(Verdict.INVALID, word.verdict());
        assertFalse(word.resume());
    }
}
