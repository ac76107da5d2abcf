package org.verbena.tools.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class AccessPatternTest {
    private static final int CELLS = 1000;
    private static final int TURNS = 200_000;

    @ParameterizedTest
    @EnumSource(AccessPattern.class)
    void everyCellIsReachedAndNoneBeyond(AccessPattern pattern) {
        for (int count : counts(pattern)) {
            assertTrue(count > 0);
        }
    }

    @Test
    void scanIsInOrder() {
        assertEquals(7, AccessPattern.SCAN.cell(CELLS, 2 * CELLS + 7, new SplittableRandom(1)));
    }

    @Test
    void theFirstCellsOfZipfAreWhatMostIsFor() {
        int[] counts = counts(AccessPattern.ZIPF);
        assertTrue(counts[0] > 1.4 * counts[1] && counts[0] < 2.2 * counts[1], counts[0] + " " + counts[1]);
        assertTrue(counts[0] > 8 * counts[20], counts[0] + " " + counts[20]);
    }

    private static int[] counts(AccessPattern pattern) {
        SplittableRandom random = new SplittableRandom(1);
        int[] counts = new int[CELLS];
        for (int turn = 0; turn < TURNS; turn++) {
            counts[pattern.cell(CELLS, turn, random)]++;
        }
        return counts;
    }
}
