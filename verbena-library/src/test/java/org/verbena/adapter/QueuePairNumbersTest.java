package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

final class QueuePairNumbersTest {
    private final QueuePairNumbers numbers = new QueuePairNumbers();

    @Test
    void numbersHave24BitsAndTheFirstTwoAreReserved() {
        for (int i = 0; i < 1000; i++) {
            int number = numbers.take();
            assertTrue(number >= 2 && number < 1 << 24);
        }
    }

    @Test
    void aNumberGivenBackComesAgainOnlyAfterManyGenerations() {
        int first = numbers.take();
        numbers.giveBack(first);
        var recent = new ArrayDeque<Integer>();
        for (int i = 0; i < 10_000; i++) {
            int number = numbers.take();
            assertNotEquals(first, number);
            recent.add(number);
            numbers.giveBack(recent.remove());
        }
    }

    @Test
    void allAreGivenOutOnceAndThenRefused() {
        var all = new HashSet<Integer>();
        for (int i = 0; i < Limits.QUEUE_PAIRS_MAX - Limits.QUEUE_PAIRS_RESERVED; i++) {
            assertTrue(all.add(numbers.take()));
        }
        IllegalStateException refused = assertThrows(IllegalStateException.class, numbers::take);
        assertEquals("all 65536 queue pairs of the adapter are in use", refused.getMessage());
        int back = all.iterator().next();
        numbers.giveBack(back);
        int again = numbers.take();
        assertEquals(back & 0xffff, again & 0xffff);
        assertNotEquals(back, again);
    }

    @Test
    void aNumberThatWasNotGivenOutIsNotTakenBack() {
        numbers.giveBack(17);
        int first = numbers.take();
        numbers.giveBack(17);
        var all = new HashSet<Integer>();
        all.add(first & 0xffff);
        for (int i = 1; i < Limits.QUEUE_PAIRS_MAX - Limits.QUEUE_PAIRS_RESERVED; i++) {
            assertTrue(all.add(numbers.take() & 0xffff));
        }
    }
}
