package org.verbena.adapter.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;
import org.verbena.queue.RingKind;
import org.verbena.queue.RingMemory;
import org.verbena.time.Seed;

/** The order in which queue pairs are called to the receives of a shared queue. */
final class ReceiveLineTest {
    private static final int CAPACITY = 16;

    private final Ring ring = Ring.create(
            RingMemory.LOCAL.allocate(Ring.lengthOf(CAPACITY, ReceiveSlot.length(1))),
            RingKind.RECEIVE,
            CAPACITY,
            ReceiveSlot.length(1));
    private final ReceiveSource source =
            new ReceiveSource(ring, true, (_, _) -> {}, new OperationCount(new ProtectionTable(16, new Seed(1)), null));
    private final ReceiveLine line = source.line();
    private final List<String> called = new ArrayList<>();
    private final ReceiveLine.Place a = place("a");
    private final ReceiveLine.Place b = place("b");
    private final ReceiveLine.Place c = place("c");

    private ReceiveLine.Place place(String name) {
        return new ReceiveLine.Place(() -> called.add(name));
    }

    /** Posts a receive; returns whether the line is to be served. */
    private boolean post() {
        long position = ring.claim();
        ReceiveSlot.begin(ring.memory(), ring.slot(position), 1, 0);
        ring.publish(position);
        return ring.takeWanted();
    }

    private void postAndServe() {
        assertTrue(post(), "the line wants to know");
        line.serve();
    }

    private void take() {
        assertTrue(source.take(source.emptyHand()));
    }

    @Test
    void eachReceiveCallsTheOneThatHasWaitedLongest() {
        line.join(a);
        line.join(b);
        line.join(c);
        postAndServe();
        assertEquals(List.of("a"), called);
        postAndServe();
        assertEquals(List.of("a", "b"), called, "the first receive is meant for a");
        postAndServe();
        assertEquals(List.of("a", "b", "c"), called);
        assertFalse(post(), "none waits");
    }

    @Test
    void severalReceivesCallAsMany() {
        line.join(a);
        line.join(b);
        line.join(c);
        assertTrue(post());
        assertFalse(post(), "the line is told once");
        line.serve();
        assertEquals(List.of("a", "b"), called);
    }

    @Test
    void aReceiveThatIsThereAlreadyCallsAtOnce() {
        post();
        line.join(a);
        assertEquals(List.of("a"), called);
    }

    @Test
    void theOneWhoseReceiveWasTakenByAnotherIsTheFirstAgain() {
        line.join(a);
        line.join(b);
        postAndServe();
        take();
        line.join(a);
        postAndServe();
        assertEquals(List.of("a", "a"), called);
    }

    @Test
    void waitingTwiceIsWaitingOnce() {
        line.join(a);
        line.join(a);
        line.join(b);
        postAndServe();
        postAndServe();
        assertEquals(List.of("a", "b"), called);
    }

    @Test
    void theOneThatHasItsReceiveMakesRoom() {
        line.join(a);
        postAndServe();
        take();
        line.leave(a);
        line.join(b);
        assertEquals(List.of("a"), called);
        postAndServe();
        assertEquals(List.of("a", "b"), called);
    }

    @Test
    void theOneThatEndsLeavesItsReceiveToTheNext() {
        line.join(a);
        line.join(b);
        line.join(c);
        postAndServe();
        line.leave(b);
        line.leave(a);
        assertEquals(List.of("a", "c"), called);
        line.leave(a);
        post();
        line.serve();
        assertEquals(List.of("a", "c"), called, "none waits");
    }
}
