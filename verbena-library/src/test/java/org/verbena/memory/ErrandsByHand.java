package org.verbena.memory;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Errands that are run when a test says so, on its own thread: those for later when it says that it is later. */
final class ErrandsByHand implements Errands {
    private final ConcurrentLinkedQueue<Runnable> now = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> later = new ConcurrentLinkedQueue<>();

    @Override
    public void run(Runnable errand) {
        now.add(errand);
    }

    @Override
    public void runLater(long milliseconds, Runnable errand) {
        later.add(errand);
    }

    /** Runs errands until none is left; gives how many. */
    int work() {
        int done = 0;
        for (Runnable errand = now.poll(); errand != null; errand = now.poll()) {
            errand.run();
            done++;
        }
        return done;
    }

    /** Time passes: what was left for later is run, once. */
    void pass() {
        var due = new ArrayDeque<>(later);
        later.removeAll(due);
        due.forEach(Runnable::run);
        work();
    }
}
