package org.verbena.bench.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.verbena.bench.memory.HotKeys.Layout;
import org.verbena.time.Seed;

final class HotKeysTest {
    private static final int KEYS = 64_000;
    private static final int READS = 20_000;

    private static HotKeys keys(Layout layout) {
        return new HotKeys(KEYS, layout, new Seed(1));
    }

    @Test
    void fewKeysGetMostOfTheReads() {
        int[] slots = keys(Layout.TOGETHER).draw(READS, new Seed(2));
        double often = Arrays.stream(slots).filter(slot -> slot < KEYS / 20).count();
        assertEquals(0.95, often / READS, 0.01);
        assertTrue(Arrays.stream(slots).allMatch(slot -> slot >= 0 && slot < KEYS));
    }

    @Test
    void frequentValuesThatLieTogetherFillTheirPages() {
        assertEquals(KEYS / 20 * 64 / 4096, keys(Layout.TOGETHER).hotPages(64));
        assertEquals(KEYS / 20 * 4, keys(Layout.TOGETHER).hotPages(16 << 10));
    }

    @Test
    void scatteredSmallValuesMakeNearlyEveryPageHot() {
        HotKeys scattered = keys(Layout.SCATTERED);
        int pages = KEYS * 64 / 4096;
        assertEquals(1 - Math.pow(0.95, 64), (double) scattered.hotPages(64) / pages, 0.02);
        assertEquals(1 - Math.pow(0.95, 8), scattered.hotPages(512) / (KEYS / 8.0), 0.02);
        assertEquals(KEYS / 20, scattered.hotPages(4096));
    }

    @Test
    void theSameSeedGivesTheSameReads() {
        assertArrayEquals(
                keys(Layout.SCATTERED).draw(READS, new Seed(2)),
                keys(Layout.SCATTERED).draw(READS, new Seed(2)));
    }
}
