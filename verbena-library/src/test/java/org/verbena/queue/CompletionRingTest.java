package org.verbena.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.Operation;
import org.verbena.Status;

@Timeout(30)
final class CompletionRingTest {
    private final CompletionRing ring = new CompletionRing(4);
    private final CompletionEntry entry = new CompletionEntry();

    private boolean push(long id, Status status, boolean solicited) {
        return ring.push(entry.of(1, id, Operation.RECEIVE, status).solicited(solicited));
    }

    @Test
    void whatFindsNoRoomIsNotAdded() {
        for (int i = 0; i < 4; i++) {
            assertTrue(push(i, Status.SUCCESS, false));
        }
        assertFalse(push(4, Status.SUCCESS, false));
        long position = ring.beginPoll();
        assertEquals(0, CompletionSlot.id(ring.memory(), ring.slot(position)));
        ring.endPoll(position + 1);
        assertTrue(push(5, Status.SUCCESS, false));
        assertFalse(push(6, Status.SUCCESS, false));
        assertEquals(5, ring.tail());
    }

    @Test
    void anotherProcessPollsAndArmsThroughTheMemory() {
        AtomicLong woken = new AtomicLong();
        CompletionRing engines = CompletionRing.create(4, RingMemory.LOCAL, woken::incrementAndGet);
        CompletionRing consumers = CompletionRing.attach(engines.memory());
        assertTrue(consumers.armUnlessFilled(CompletionRing.ARMED_ANY));
        assertEquals(1, engines.memory().get(ValueLayout.JAVA_INT, 384), "wish");
        assertTrue(engines.push(entry.of(5, 77, Operation.SEND, Status.SUCCESS)));
        engines.notifyArmed();
        assertEquals(1, woken.get());
        assertFalse(consumers.armed());
        long position = consumers.beginPoll();
        assertEquals(1, consumers.published(position));
        assertEquals(77, CompletionSlot.id(consumers.memory(), consumers.slot(position)));
        consumers.endPoll(position + 1);
        assertTrue(engines.isEmpty());
    }

    @Test
    void anOverwrittenTailLosesNoLaterCompletion() {
        assertTrue(push(1, Status.SUCCESS, false));
        ring.memory().set(ValueLayout.JAVA_LONG, 128, Long.MIN_VALUE);
        assertTrue(ring.isEmpty(), "a tail that cannot be true is no news");
        assertTrue(push(2, Status.SUCCESS, false));
        assertEquals(2, ring.tail());
        assertEquals(2, CompletionSlot.id(ring.memory(), ring.slot(1)));
    }

    @Test
    void aRingWithOtherSlotsIsRefused() {
        var memory = RingMemory.LOCAL.allocate(Ring.lengthOf(4, 64));
        Ring.create(memory, RingKind.COMPLETION, 4, 64);
        assertThrows(IllegalArgumentException.class, () -> CompletionRing.attach(memory));
    }

    @Test
    void twoPollsAtOnceAreMisuse() {
        ring.beginPoll();
        assertThrows(ConcurrentModificationException.class, ring::beginPoll);
        ring.endPoll(0);
        ring.beginPoll();
    }

    @Test
    void whoAskedForAnythingIsToldOfAnything() {
        ring.arm(CompletionRing.ARMED_ANY);
        ring.notifyArmed();
        assertTrue(ring.armed(), "nothing was pushed");
        push(1, Status.SUCCESS, false);
        assertTrue(ring.armed(), "told only after the batch");
        ring.notifyArmed();
        assertFalse(ring.armed());
    }

    @Test
    void whoAskedForSolicitedOnesIsToldOfThoseAndOfErrors() {
        ring.arm(CompletionRing.ARMED_SOLICITED);
        push(1, Status.SUCCESS, false);
        ring.notifyArmed();
        assertTrue(ring.armed());
        push(2, Status.SUCCESS, true);
        push(3, Status.SUCCESS, false);
        ring.notifyArmed();
        assertFalse(ring.armed());
        ring.arm(CompletionRing.ARMED_SOLICITED);
        push(4, Status.FLUSHED, false);
        ring.notifyArmed();
        assertFalse(ring.armed());
    }

    @Test
    void aSolicitationOfAnEarlierBatchDoesNotCountForTheNext() {
        push(1, Status.SUCCESS, true);
        ring.notifyArmed();
        ring.arm(CompletionRing.ARMED_SOLICITED);
        push(2, Status.SUCCESS, false);
        ring.notifyArmed();
        assertTrue(ring.armed());
        ring.disarm();
        assertFalse(ring.armed());
    }

    /** A consumer that arms, looks once more and parks is woken for each completion. */
    @Test
    void noWakeUpIsLostBetweenTwoThreads() throws InterruptedException {
        int rounds = 20_000;
        Thread engine = Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i < rounds; i++) {
                // One at a time, a little later each time, so that most meet a consumer about to sleep.
                for (int spins = i % 300; spins > 0 || !ring.isEmpty(); spins--) {
                    Thread.onSpinWait();
                }
                push(i, Status.SUCCESS, false);
                ring.notifyArmed();
            }
        });
        for (long taken = 0; taken < rounds; ) {
            ring.arm(CompletionRing.ARMED_ANY);
            while (ring.armed() && ring.isEmpty()) {
                LockSupport.park();
                assertFalse(Thread.interrupted(), "a wake-up was lost: slept until the test's time was over");
            }
            ring.disarm();
            long position = ring.beginPoll();
            long tail = ring.tail();
            for (; position < tail; position++) {
                assertEquals(taken++, CompletionSlot.id(ring.memory(), ring.slot(position)));
            }
            ring.endPoll(tail);
        }
        engine.join();
    }

    @Test
    void aRouseWithoutAWaitNamesNoThreadAndLetsNoWaitBeginUntilItIsTaken() {
        assertNull(ring.rouse());
        assertFalse(ring.armUnlessFilled(CompletionRing.ARMED_ANY));
        assertFalse(ring.armUnlessFilled(CompletionRing.ARMED_SOLICITED));
        ring.disarm();
        assertTrue(ring.takeRouse());
        assertFalse(ring.takeRouse());
        assertTrue(ring.armUnlessFilled(CompletionRing.ARMED_ANY));
    }

    @Test
    void aRouseEndsAWaitAndNamesItsThread() {
        assertTrue(ring.armUnlessFilled(CompletionRing.ARMED_ANY));
        assertTrue(ring.armed());
        assertSame(Thread.currentThread(), ring.rouse());
        assertFalse(ring.armed());
        assertFalse(ring.armUnlessFilled(CompletionRing.ARMED_ANY));
        ring.disarm();
        assertNull(ring.rouse(), "no thread waits any more");
    }
}
