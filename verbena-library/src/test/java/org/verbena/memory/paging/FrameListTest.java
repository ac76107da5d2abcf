package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

final class FrameListTest {
    private static final int FRAMES = 20;

    private final FrameList[] lists = FrameList.family(2, FRAMES);

    private static List<Integer> drain(FrameList list) {
        List<Integer> frames = new ArrayList<>();
        while (list.size() > 0) {
            int frame = list.takeFirst();
            if (frame != Driver.NONE) {
                frames.add(frame);
            }
        }
        return frames;
    }

    @Test
    void firstInFirstOutEachInItsList() {
        lists[0].append(3);
        lists[1].append(0);
        lists[0].append(19);
        lists[0].append(1);
        assertTrue(lists[0].contains(19));
        assertFalse(lists[1].contains(19));
        assertFalse(lists[0].contains(2));
        assertEquals(List.of(3, 19, 1), drain(lists[0]));
        assertEquals(List.of(0), drain(lists[1]));
    }

    @Test
    void aFrameRemovedIsPassedOverAndOneThatReturnsIsWhereItWas() {
        for (int frame = 0; frame < 6; frame++) {
            lists[0].append(frame);
        }
        lists[0].remove(0);
        lists[0].remove(3);
        lists[0].remove(5);
        assertEquals(3, lists[0].size());
        assertFalse(lists[0].contains(3));
        lists[1].append(3);
        assertEquals(0, lists[1].size());
        lists[0].append(7);
        assertEquals(List.of(1, 2, 3, 4, 7), drain(lists[0]));
        lists[1].append(5);
        assertEquals(List.of(5), drain(lists[1]));
    }

    @Test
    void noFrameIsLostOrTwiceWhateverIsDone() {
        Seed seed = new Seed(11);
        boolean[] in = new boolean[FRAMES];
        int count = 0;
        for (int step = 0; step < 100_000; step++) {
            int frame = (int) (seed.nextDouble() * FRAMES);
            FrameList list = lists[(int) (seed.nextDouble() * 2)];
            if (!in[frame]) {
                list.append(frame);
                in[frame] = true;
                count++;
            } else if (step % 3 == 0) {
                (lists[0].contains(frame) ? lists[0] : lists[1]).remove(frame);
                in[frame] = false;
                count--;
            } else if (list.size() > 0) {
                int first = list.takeFirst();
                if (first != Driver.NONE) {
                    assertTrue(in[first]);
                    in[first] = false;
                    count--;
                }
            }
            assertEquals(count, lists[0].size() + lists[1].size());
            assertEquals(in[frame], lists[0].contains(frame) || lists[1].contains(frame));
        }
    }

    @Test
    void pagesThatLeftLatelyAreKnownOnceAndOthersAreNot() {
        GhostList ghosts = new GhostList(1024);
        for (long page = 0; page < 1024; page++) {
            ghosts.add(page);
        }
        int wrong = 0;
        for (long page = 5000; page < 7000; page++) {
            wrong += ghosts.remove(page) ? 1 : 0;
        }
        assertTrue(wrong < 20, wrong + " of 2000 taken for others");
        int known = 0;
        for (long page = 512; page < 1024; page++) {
            known += ghosts.remove(page) ? 1 : 0;
            assertFalse(ghosts.remove(page));
        }
        assertTrue(known > 300, known + " of 512 known");
        for (long page = 10_000; page < 11_100; page++) {
            ghosts.add(page);
        }
        known = 0;
        for (long page = 0; page < 512; page++) {
            known += ghosts.remove(page) ? 1 : 0;
        }
        assertEquals(0, known);
    }

    @Test
    void theGhostListGrowsWithTheNumberOfPagesAway() {
        GhostList ghosts = new GhostList(1 << 15);
        for (int round = 0; round < 1000; round++) {
            for (long page = 0; page < 600; page++) {
                ghosts.add(round * 7L + page);
            }
            for (long page = 0; page < 600; page++) {
                ghosts.remove(round * 7L + page);
            }
        }
        assertTrue(ghosts.places() <= 4096, ghosts.places() + " places for 600 pages");
        for (long page = 0; page < 1 << 16; page++) {
            ghosts.add(page);
        }
        assertEquals(1 << 15, ghosts.places());
    }

    /** A name is added within a turn of the pager, perhaps by an engine's thread. */
    @Test
    void theGhostListGrowsALittleAtATime() {
        GhostList ghosts = new GhostList(1 << 20);
        long most = 0;
        for (long page = 0; page < 1 << 21; page++) {
            long before = ghosts.bytes();
            ghosts.add(page * 31);
            most = Math.max(most, ghosts.bytes() - before);
        }
        assertEquals(1 << 20, ghosts.places());
        assertTrue(most <= 2 * 2 * GhostList.PIECE, most + " bytes taken by one addition");
        assertTrue(ghosts.bytes() <= 1 << 22, ghosts.bytes() + " bytes");
    }
}
