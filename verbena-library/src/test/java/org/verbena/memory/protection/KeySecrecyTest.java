package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.pool.IndexPool;
import org.verbena.time.Seed;

/** Known keys say nothing about other keys. */
final class KeySecrecyTest {
    private static final int KEYS = 40 * IndexPool.BATCH;

    private final MemorySegment memory = Arena.ofAuto().allocate(64, 8);

    private int[] keys() {
        var table = new ProtectionTable(1 << 20, new Seed(11));
        ProtectionDomain domain = table.createDomain();
        return Arrays.stream(new int[KEYS])
                .map(_ -> table.register(domain, memory, Tables.ALL).key())
                .toArray();
    }

    @Test
    void allInstancesAreEquallyLikely() {
        int[] counts = new int[256];
        for (int key : keys()) {
            counts[MemoryKey.instance(key)]++;
        }
        double expected = KEYS / 256.0;
        double square = Arrays.stream(counts)
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();
        // Chi-squared with 255 degrees of freedom: 255 on average, standard deviation 22.6.
        assertEquals(255, square, 5 * 22.6);
    }

    @Test
    void neighboursInTimeAreNoNeighboursInTheTable() {
        int[] keys = keys();
        int adjacent = 0;
        Map<Integer, Integer> differences = new HashMap<>();
        for (int i = 1; i < keys.length; i++) {
            adjacent += Math.abs(MemoryKey.index(keys[i]) - MemoryKey.index(keys[i - 1])) == 1 ? 1 : 0;
            differences.merge(keys[i] - keys[i - 1], 1, Integer::sum);
        }
        // In a batch of 1024 in random order two of 1024 are adjacent.
        assertEquals(2.0 * KEYS / IndexPool.BATCH, adjacent, 50);
        assertTrue(differences.values().stream().allMatch(count -> count <= 6), "a difference that comes often");
    }

    @Test
    void anIndexesNextInstanceIsNotTheOneBehindTheLast() {
        KeyPool pool = new KeyPool(IndexPool.BATCH, new Seed(12));
        int[] before = new int[IndexPool.BATCH + 1];
        for (int i = 0; i < IndexPool.BATCH; i++) {
            int key = pool.claim();
            before[MemoryKey.index(key)] = key;
        }
        Arrays.stream(before).skip(1).forEach(pool::giveBack);
        int behind = 0;
        for (int i = 0; i < IndexPool.BATCH; i++) {
            int key = pool.claim();
            int last = before[MemoryKey.index(key)];
            assertNotEquals(last, key);
            behind += MemoryKey.next(last) == key ? 1 : 0;
        }
        // One of the 128 possible steps.
        assertEquals(IndexPool.BATCH / 128.0, behind, 12);
    }

    @Test
    void aKeyThatWasTakenBackStaysDeadForTheNext255OwnersOfItsIndex() {
        var table = new ProtectionTable(1, new Seed(13));
        ProtectionDomain domain = table.createDomain();
        Accessor peer = Accessor.remote(domain, 1, Right.REMOTE_WRITE);
        var dead = new ArrayDeque<Integer>();
        for (int owner = 0; owner < 600; owner++) {
            try (Region region = table.register(domain, memory, Tables.ALL)) {
                assertEquals(Verdict.GRANTED, table.judge(peer, region.key(), region.address(), 8));
                for (int key : dead) {
                    assertEquals(Verdict.WRONG_INSTANCE, table.judge(peer, key, region.address(), 8));
                }
                dead.add(region.key());
            }
            if (dead.size() > 255) {
                dead.remove();
            }
        }
    }
}
