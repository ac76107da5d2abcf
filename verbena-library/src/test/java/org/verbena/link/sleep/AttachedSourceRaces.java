package org.verbena.link.sleep;

import java.nio.channels.SelectableChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.verbena.interleave.Actor;
import org.verbena.interleave.Interleaver;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.link.Watch;

/**
 * A source in memory, the thread that drives, and a consumer that waits, on one thread: any of them may be the next after each atomic operation. To be run woven. A wake-up that is
 * lost leaves actors that wait for ever.
 */
final class AttachedSourceRaces {
    private static final int EVENTS = 2000;

    /** The consumer's thread, which is not the one that drives. */
    private final Thread consumers = Thread.ofPlatform().unstarted(() -> {});

    private final AtomicReference<@Nullable Thread> waiter = new AtomicReference<>();
    private final AtomicLong events = new AtomicLong();
    private final Interleaver interleaver;
    private final AttachedSource attached;
    private final Consumer consumer = new Consumer();
    private final Driver driver = new Driver();
    private final Bringer bringer = new Bringer();
    private @Nullable Sleeper given;
    private boolean woken;
    private boolean finished;
    private long taken;
    private long sleeps;

    private AttachedSourceRaces(long seed) {
        interleaver = new Interleaver(seed);
        attached = new AttachedSource(new MemorySource(), waiter, this::wakeup);
        attached.attach(driver.sleeper);
        interleaver.add(consumer);
        interleaver.add(driver);
        interleaver.add(bringer);
    }

    /** Runs by a seed: the events that the consumer has taken, the sleeps of the thread that drives, actors that wait for ever. */
    static List<Long> run(long seed) {
        AttachedSourceRaces races = new AttachedSourceRaces(seed);
        races.interleaver.run(Long.MAX_VALUE);
        return List.of(
                races.taken, races.sleeps, (long) races.interleaver.left().size());
    }

    static long events() {
        return EVENTS;
    }

    private void wakeup() {
        woken = true;
        consumer.wake();
    }

    private final class MemorySource implements WakeSource {
        @Override
        public void attach(Sleeper sleeper) {
            given = sleeper;
        }

        @Override
        public long sleepMaxNs() {
            return events.get() == 0 ? Long.MAX_VALUE : 0;
        }
    }

    /** Waits as a completion queue does, and takes the events after each wait. */
    private final class Consumer extends Actor {
        Consumer() {
            super("consumer");
        }

        @Override
        protected void perform() {
            while (taken < EVENTS) {
                step();
                waiter.set(consumers);
                step();
                attached.want();
                await("an event", () -> woken);
                woken = false;
                step();
                waiter.set(null);
                step();
                taken += events.getAndSet(0);
                bringer.wake();
            }
            finished = true;
            driver.wake();
        }
    }

    /** Looks at the source, then sleeps until it is roused: the order of {@link RunnerSleeper}. */
    private final class Driver extends Actor {
        private boolean asleep;
        private boolean roused;

        private final Sleeper sleeper = new Sleeper() {
            @Override
            public Watch watch(int descriptor, Runnable onReady) {
                throw new AssertionError("a source in memory watches nothing");
            }

            @Override
            public Watch watch(SelectableChannel channel, Runnable onReady) {
                throw new AssertionError("a source in memory watches nothing");
            }

            @Override
            public void look() {}

            @Override
            public void wakeup() {
                rouse();
            }

            @Override
            public void rouse() {
                if (asleep) {
                    roused = true;
                    wake();
                }
            }
        };

        Driver() {
            super("driver");
        }

        @Override
        protected void perform() {
            while (!finished) {
                asleep = true;
                step();
                if (attached.sleepMaxNs() > 0) {
                    sleeps++;
                    await("a rouse", () -> roused || finished);
                }
                asleep = false;
                roused = false;
                step();
            }
        }
    }

    /** Brings events about, and at times a completion, which ends a wait without an event. */
    private final class Bringer extends Actor {
        Bringer() {
            super("bringer");
        }

        @Override
        protected void perform() {
            for (int i = 0; i < EVENTS; i++) {
                if (interleaver.below(2) == 0) {
                    wakeup();
                    step();
                }
                events.incrementAndGet();
                step();
                Sleeper by = given;
                if (by != null) {
                    by.rouse();
                }
                if (interleaver.below(4) != 0) {
                    await("the consumer", () -> events.get() == 0);
                }
            }
        }
    }
}
