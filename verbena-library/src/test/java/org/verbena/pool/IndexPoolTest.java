package org.verbena.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

final class IndexPoolTest {
    @Test
    void indexesInOrderComeOnceAndThenNone() {
        IndexPool pool = IndexPool.inOrder(2, 3000);
        for (int index = 2; index < 3000; index++) {
            assertEquals(index, pool.take());
            assertEquals(0, pool.generation(index));
        }
        assertEquals(IndexPool.NONE, pool.take());
    }

    @Test
    void anIndexGivenBackWaitsBehindOthersAndHasTheNextGeneration() {
        IndexPool pool = IndexPool.inOrder(0, 100_000);
        int index = pool.take();
        pool.giveBack(index, pool.generation(index));
        int others = 0;
        while (pool.take() != index) {
            others++;
        }
        assertTrue(others >= IndexPool.REST, others + " others");
        assertEquals(1, pool.generation(index));
    }

    @Test
    void aFullPoolGivesOutAnIndexAsSoonAsItIsBack() {
        IndexPool pool = IndexPool.inOrder(0, 1);
        for (int generation = 0; generation < 70_000; generation++) {
            int index = pool.take();
            assertEquals(0, index);
            assertEquals(generation & 0xffff, pool.generation(index));
            assertEquals(IndexPool.NONE, pool.take());
            pool.giveBack(index, pool.generation(index));
        }
    }

    @Test
    void theSeedDecidesTheOrderAndAllIndexesComeOnce() {
        IndexPool one = IndexPool.shuffled(1, 3001, new Seed(7));
        IndexPool same = IndexPool.shuffled(1, 3001, new Seed(7));
        Set<Integer> indexes = new HashSet<>();
        int ascending = 0;
        int before = 0;
        for (int i = 0; i < 3000; i++) {
            int index = one.take();
            assertEquals(index, same.take());
            assertEquals(one.generation(index), same.generation(index));
            assertTrue(index >= 1 && index <= 3000 && indexes.add(index), "index " + index);
            ascending += index == before + 1 ? 1 : 0;
            before = index;
        }
        assertNotEquals(3000, ascending);
        assertEquals(IndexPool.NONE, one.take());
    }

    @Test
    void theOrderOfFreeIndexesStaysWhenThePoolGrowsInTheMiddleOfARound() {
        IndexPool pool = IndexPool.inOrder(0, 10_000);
        for (int index = 0; index < 700; index++) {
            assertEquals(index, pool.take());
        }
        for (int index = 0; index < 100; index++) {
            pool.giveBack(index, 0);
        }
        for (int index = 700; index < IndexPool.BATCH; index++) {
            assertEquals(index, pool.take());
        }
        for (int index = 0; index < 100; index++) {
            assertEquals(index, pool.take());
            assertEquals(1, pool.generation(index));
        }
        assertEquals(IndexPool.BATCH, pool.take());
    }
}
