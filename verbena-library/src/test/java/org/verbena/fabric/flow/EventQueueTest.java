package org.verbena.fabric.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

/** The order of events, against a sorted list. */
final class EventQueueTest {
    /** An event that does nothing. */
    private static final class Note extends Event {
        private final long timePs;

        Note(long timePs) {
            this.timePs = timePs;
        }

        @Override
        void happen() {}
    }

    private final EventQueue queue = new EventQueue();

    @Test
    void anEmptyQueueHasNoFirstEvent() {
        assertEquals(Long.MAX_VALUE, queue.firstPs());
    }

    @Test
    void eventsOfOneTimeComeInTheOrderInWhichTheyWereAdded() {
        List<Note> notes = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Note note = new Note(7);
            notes.add(note);
            queue.add(note, 7);
        }
        for (Note note : notes) {
            assertSame(note, queue.poll(Long.MAX_VALUE));
        }
    }

    @Test
    void randomAdditionsAndRemovalsKeepTheOrder() {
        Seed seed = new Seed(14);
        List<Note> expected = new ArrayList<>();
        long base = 0;
        for (int step = 0; step < 200_000; step++) {
            int dice = seed.nextInt(10);
            if (dice < 5 || expected.isEmpty()) {
                Note note = new Note(base + seed.nextInt(seed.nextInt(10) == 0 ? 20_000_000 : 5_000));
                queue.add(note, note.timePs);
                expected.add(note);
            } else if (dice < 7) {
                Note victim = expected.remove(seed.nextInt(expected.size()));
                queue.remove(victim);
                assertFalse(victim.isDue());
            } else {
                Note first = expected.stream()
                        .min(Comparator.comparingLong(note -> note.timePs))
                        .orElseThrow();
                assertEquals(first.timePs, queue.firstPs());
                assertNull(queue.poll(first.timePs - 1));
                assertSame(first, queue.poll(Long.MAX_VALUE));
                expected.remove(first);
                // Events come at or after the one that happens; now and then one is late.
                base = Math.max(0, first.timePs - (seed.nextInt(50) == 0 ? 3_000 : 0));
            }
            if (expected.size() > 300) {
                expected.subList(0, 200).forEach(queue::remove);
                expected.subList(0, 200).clear();
            }
        }
        while (!expected.isEmpty()) {
            Note first = expected.stream()
                    .min(Comparator.comparingLong(note -> note.timePs))
                    .orElseThrow();
            assertSame(first, queue.poll(Long.MAX_VALUE));
            expected.remove(first);
        }
        assertEquals(Long.MAX_VALUE, queue.firstPs());
    }

    @Test
    void removingAnEventThatIsNotThereDoesNothing() {
        Note note = new Note(1);
        queue.remove(note);
        queue.add(note, 1);
        assertSame(note, queue.poll(Long.MAX_VALUE));
    }

    private Note add(long timePs) {
        Note note = new Note(timePs);
        queue.add(note, timePs);
        return note;
    }

    @Test
    void anEventThatWasAddedWhenItWasFarOffComesBeforeOthersOfItsTime() {
        Note far = add(3_000_000);
        Note near = add(1_500_000);
        assertSame(near, queue.poll(Long.MAX_VALUE));
        Note added = add(3_000_000);
        assertSame(far, queue.poll(Long.MAX_VALUE));
        assertSame(added, queue.poll(Long.MAX_VALUE));
    }

    @Test
    void aLateEventDoesNotChangeTheOrderOfThoseToCome() {
        Note first = add(2_000_000);
        assertSame(first, queue.poll(Long.MAX_VALUE));
        // On both sides of the end of the ring of slots, which is at 2,097,152 ps.
        Note before = add(2_012_800);
        Note after = add(2_128_000);
        Note late = add(5);
        assertSame(late, queue.poll(Long.MAX_VALUE));
        assertSame(before, queue.poll(Long.MAX_VALUE));
        assertSame(after, queue.poll(Long.MAX_VALUE));
    }
}
