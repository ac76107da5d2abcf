package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order in which queue pairs with work get their turns. */
final class SchedulerTest {
    private final Effort effort = new Effort();
    private final Scheduler scheduler = new Scheduler(effort);
    private final List<Integer> served = new ArrayList<>();

    /** A queue pair that sends a number of packets in each turn, for a number of turns. */
    private final class Sender implements Scheduled {
        private final int number;
        private final ScheduleMark mark = new ScheduleMark(this);
        private int packets;
        private int turns;

        Sender(int number, int packets, int turns) {
            this.number = number;
            this.packets = packets;
            this.turns = turns;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public ScheduleMark scheduleMark() {
            return mark;
        }

        @Override
        public boolean transmit(long nowNs, int budget) {
            served.add(number);
            if (packets < 0) {
                throw new InternalError("memory is gone");
            }
            for (int i = 0; i < packets; i++) {
                effort.addBytes(1);
            }
            return --turns > 0;
        }

        @Override
        public void onMemoryFault() {}
    }

    private List<Integer> run() {
        served.clear();
        scheduler.run(0);
        return List.copyOf(served);
    }

    @Test
    void queuePairsAreServedInTheOrderInWhichTheyCame() {
        IntStream.of(3, 1, 2).forEach(number -> scheduler.add(new Sender(number, 1, 1)));
        assertEquals(List.of(3, 1, 2), run());
        assertTrue(scheduler.isEmpty());
        assertEquals(List.of(), run());
    }

    @Test
    void aQueuePairStandsInTheListOnce() {
        Sender sender = new Sender(1, 1, 1);
        scheduler.add(sender);
        scheduler.add(sender);
        assertEquals(List.of(1), run());
    }

    @Test
    void aQueuePairWithMoreToSendHasOneTurnInEachRound() {
        scheduler.add(new Sender(1, 1, 3));
        scheduler.add(new Sender(2, 1, 2));
        assertEquals(List.of(1, 2), run());
        assertEquals(List.of(1, 2), run());
        assertEquals(List.of(1), run());
    }

    @Test
    void aRoundEndsWhenTheEffortOfATurnIsSpent() {
        int half = Limits.TRANSMIT_PER_TURN / 2;
        IntStream.of(1, 2, 3).forEach(number -> scheduler.add(new Sender(number, half, 1)));
        assertEquals(List.of(1, 2), run());
        assertFalse(scheduler.isEmpty());
        assertEquals(List.of(3), run());
    }

    @Test
    void aQueuePairThatFoundNoRoomComesBeforeThoseThatHaveSent() {
        scheduler.add(new Sender(1, 1, 2));
        scheduler.add(new Sender(2, 0, 2));
        assertEquals(List.of(1, 2), run());
        assertEquals(List.of(2, 1), run());
    }

    @Test
    void resumedQueuePairsAreServedBehindTheOthers() {
        scheduler.addResumed(new Sender(1, 1, 1));
        scheduler.add(new Sender(2, 1, 1));
        assertEquals(List.of(2, 1), run());
    }

    @Test
    void aTurnServesABoundedNumberOfResumedQueuePairs() {
        int count = Limits.RESUMED_PER_TURN + 1;
        IntStream.range(0, count).forEach(number -> scheduler.addResumed(new Sender(number, 1, 1)));
        assertEquals(Limits.RESUMED_PER_TURN, run().size());
        assertTrue(scheduler.hasResumed());
        assertEquals(1, run().size());
    }

    @Test
    void resumedQueuePairsAreEarnedByTheEffortOfQueuePairsWithoutFaults() {
        Sender calm = new Sender(0, 1, 1000);
        scheduler.add(calm);
        IntStream.rangeClosed(0, Limits.CALM_SENDS).forEach(_ -> run());
        IntStream.range(1, 4).forEach(number -> scheduler.addResumed(new Sender(number, 1, 1)));
        int turns = 0;
        int resumed = 0;
        for (; scheduler.hasResumed(); turns++) {
            resumed += run().size() - 1;
        }
        assertEquals(3, resumed);
        assertTrue(turns >= 2 * Limits.RESUMED_PRICE, "turns until all three were served: " + turns);
    }

    @Test
    void aTurnThatWasCutShortNamesItsQueuePairAndLosesNone() {
        scheduler.add(new Sender(1, 1, 2));
        Sender broken = new Sender(2, -1, 1);
        scheduler.add(broken);
        scheduler.add(new Sender(3, 1, 1));
        assertThrows(InternalError.class, this::run);
        assertSame(broken, scheduler.takeRunning());
        assertNull(scheduler.takeRunning());
        assertEquals(List.of(3, 1), run());
    }
}
