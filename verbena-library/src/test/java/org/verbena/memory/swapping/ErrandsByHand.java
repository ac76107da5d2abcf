package org.verbena.memory.swapping;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Errands that are run when a test says so, on its own thread: those for later when it says that it is later. */
public final class ErrandsByHand implements Errands {

    private record Later(long dueMs, Runnable errand) {}

    private final ConcurrentLinkedQueue<Runnable> now = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Later> later = new ConcurrentLinkedQueue<>();
    private long nowMs;

    @Override
    public void run(Runnable errand) {
        now.add(errand);
    }

    @Override
    public void runLater(long milliseconds, Runnable errand) {
        later.add(new Later(nowMs + milliseconds, errand));
    }

    /** Runs errands until none is left; gives how many. */
    public int work() {
        int done = 0;
        for (Runnable errand = now.poll(); errand != null; errand = now.poll()) {
            errand.run();
            done++;
        }
        return done;
    }

    /** Errands that were left for later. */
    public int left() {
        return later.size();
    }

    /** Much time passes: what was left for later is run, once. */
    public void pass() {
        run(List.copyOf(later));
    }

    /** So much time passes: what is due by then is run. */
    public void pass(long milliseconds) {
        for (long left = milliseconds; left > 0; left--) {
            nowMs++;
            List<Later> due = new ArrayList<>(later);
            due.removeIf(some -> some.dueMs > nowMs);
            run(due);
        }
    }

    private void run(List<Later> due) {
        later.removeAll(due);
        due.forEach(some -> some.errand.run());
        work();
    }
}
