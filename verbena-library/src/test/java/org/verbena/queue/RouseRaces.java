package org.verbena.queue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.interleave.Actor;
import org.verbena.interleave.Interleaver;

/**
 * A consumer that waits on a ring, an engine that completes, and a thread that rouses, on one thread: any of them may be the next after each atomic operation. To be run woven. A wake-up
 * that is lost leaves a consumer that waits for ever.
 */
final class RouseRaces {
    private static final int COMPLETIONS = 500;
    private static final int ROUSES = 500;

    private final Interleaver interleaver;
    private final CompletionRing ring;
    private final Consumer consumer = new Consumer();
    /** Things other than completions: brought before a rouse, taken after a wait. */
    private long brought;

    private long taken;
    private long polled;
    private long wakeUps;

    private RouseRaces(long seed) {
        interleaver = new Interleaver(seed);
        ring = CompletionRing.create(4, RingMemory.LOCAL, consumer::wake);
        interleaver.add(consumer);
        interleaver.add(new Completing());
        interleaver.add(new Rousing());
    }

    /** Runs by a seed: completions polled, things taken, wake-ups, actors that wait for ever. */
    static List<Long> run(long seed) {
        RouseRaces races = new RouseRaces(seed);
        races.interleaver.run(Long.MAX_VALUE);
        return List.of(races.polled, races.taken, races.wakeUps, (long)
                races.interleaver.left().size());
    }

    static List<Long> all() {
        return List.of((long) COMPLETIONS, (long) ROUSES);
    }

    /** Waits as a runner does, then takes what is there. */
    private final class Consumer extends Actor {
        Consumer() {
            super("consumer");
        }

        @Override
        protected void perform() {
            while (polled < COMPLETIONS || taken < ROUSES) {
                while (ring.armUnlessFilled(CompletionRing.ARMED_ANY)) {
                    await("a wake-up", () -> !armed());
                }
                ring.disarm();
                step();
                if (ring.isEmpty() && ring.takeRouse()) {
                    wakeUps++;
                    taken = brought;
                } else {
                    long position = ring.beginPoll();
                    int count = ring.published(position);
                    polled += count;
                    ring.endPoll(position + count);
                }
            }
        }

        /** The wish itself: a look that others cannot come between. */
        private boolean armed() {
            return ring.memory().get(ValueLayout.JAVA_INT, Ring.WISH) != 0;
        }
    }

    private final class Completing extends Actor {
        private final CompletionEntry entry = new CompletionEntry();

        Completing() {
            super("engine");
        }

        @Override
        protected void perform() {
            for (int i = 0; i < COMPLETIONS; ) {
                if (ring.push(entry.of(1, i, Operation.RECEIVE, Status.SUCCESS))) {
                    i++;
                    ring.notifyArmed();
                }
                sleep(40);
            }
        }
    }

    private final class Rousing extends Actor {
        Rousing() {
            super("rousing");
        }

        @Override
        protected void perform() {
            for (int i = 0; i < ROUSES; i++) {
                step();
                brought++;
                step();
                if (ring.rouse() != null) {
                    consumer.wake();
                }
                sleep(40);
            }
        }
    }
}
