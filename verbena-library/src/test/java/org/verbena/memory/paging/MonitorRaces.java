package org.verbena.memory.paging;

import java.util.ArrayDeque;
import org.verbena.interleave.Actor;
import org.verbena.interleave.Interleaver;

/** Threads with and without time at one monitor. To be run woven. */
final class MonitorRaces {
    private static final long STEPS_MAX = 100_000;

    private final ArrayDeque<Runnable> lent = new ArrayDeque<>();
    private final Monitor monitor = new Monitor(_ -> turn(), lent::add);
    /** Turns until no work is left. */
    private int left;

    private int calls;

    private static final class Caller extends Actor {
        private final int times;
        private final Runnable call;

        Caller(String name, int times, Runnable call) {
            super(name);
            this.times = times;
            this.call = call;
        }

        @Override
        protected void perform() {
            for (int i = 0; i < times; i++) {
                call.run();
                step();
            }
        }
    }

    private MonitorRaces() {}

    private Monitor.Rest turn() {
        Actor.sleep(3);
        left = Math.max(0, left - 1);
        return left > 0 ? Monitor.Rest.LATER : Monitor.Rest.NOTHING;
    }

    private void helpIfCalled() {
        Runnable command = lent.poll();
        if (command != null) {
            calls++;
            command.run();
        }
    }

    /** Work that no request waits for, of a thread that has time. */
    private void leaveWork() {
        monitor.run(() -> left += 5);
    }

    private void transfer() {
        monitor.onTransferBegun();
        Actor.sleep(10);
        monitor.onTransferEnded(1, () -> left++);
    }

    /**
     * Runs an engine, a consumer and a store at one monitor, interleaved by a seed, then the threads that were called for help.
     *
     * @return turns of work that are left for ever, and the number of calls for help
     */
    static int[] run(long seed, boolean withTransfers) {
        Interleaver interleaver = new Interleaver(seed);
        MonitorRaces races = new MonitorRaces();
        interleaver.add(new Caller("engine", 3, races.monitor::wake));
        interleaver.add(new Caller("consumer", 1, races::leaveWork));
        interleaver.add(new Caller("thread of the store", 2, races::helpIfCalled));
        if (withTransfers) {
            interleaver.add(new Caller("transfer", 1, races::transfer));
        }
        interleaver.run(STEPS_MAX);
        while (!races.lent.isEmpty()) {
            races.helpIfCalled();
        }
        return new int[] {races.left, races.calls};
    }
}
