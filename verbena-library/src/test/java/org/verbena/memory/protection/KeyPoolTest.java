package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.memory.MemoryKey;
import org.verbena.pool.IndexPool;
import org.verbena.time.Seed;

final class KeyPoolTest {
    @Test
    void everyIndexIsGivenOutOnceAndThenThePoolIsFull() {
        KeyPool pool = new KeyPool(3000, new Seed(1));
        Set<Integer> indexes = new HashSet<>();
        for (int i = 0; i < 3000; i++) {
            int index = MemoryKey.index(pool.claim());
            assertTrue(index >= 1 && index <= 3000);
            assertTrue(indexes.add(index));
        }
        IllegalStateException full = assertThrows(IllegalStateException.class, pool::claim);
        assertTrue(full.toString().contains("3000"));
    }

    @Test
    void anIndexThatComesBackHasEveryOtherInstanceBeforeOneComesAgain() {
        KeyPool pool = new KeyPool(1, new Seed(1));
        Set<Integer> keys = new HashSet<>();
        int first = pool.claim();
        int key = first;
        for (int i = 0; i < 256; i++) {
            assertTrue(keys.add(key));
            pool.giveBack(key);
            key = pool.claim();
        }
        assertEquals(first, key);
    }

    @Test
    void anIndexRestsWhileThereAreOthers() {
        KeyPool pool = new KeyPool(100_000, new Seed(1));
        int key = pool.claim();
        pool.giveBack(key);
        for (int i = 0; i < IndexPool.REST; i++) {
            assertNotEquals(MemoryKey.index(key), MemoryKey.index(pool.claim()));
        }
    }

    @Test
    void theSeedDecidesOrderAndInstances() {
        KeyPool one = new KeyPool(5000, new Seed(7));
        KeyPool same = new KeyPool(5000, new Seed(7));
        KeyPool other = new KeyPool(5000, new Seed(8));
        int different = 0;
        for (int i = 0; i < 5000; i++) {
            int key = one.claim();
            assertEquals(key, same.claim());
            different += key == other.claim() ? 0 : 1;
        }
        assertTrue(different > 4900);
    }

    @Test
    void aCapacityThatCannotBeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new KeyPool(0, new Seed(1)));
        assertThrows(IllegalArgumentException.class, () -> new KeyPool(1 << 24, new Seed(1)));
    }
}
