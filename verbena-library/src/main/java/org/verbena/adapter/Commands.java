package org.verbena.adapter;

import java.util.concurrent.ConcurrentLinkedQueue;

/** Commands that an engine runs at the beginning of its next turn. Any thread may submit one. */
public final class Commands {
    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final Runnable wake;

    /** {@code wake} wakes the thread that drives the engine, should it sleep. */
    Commands(Runnable wake) {
        this.wake = wake;
    }

    /** Has the command run in the next turn. Wakes no thread: the caller drives the engine, or wakes its driver itself. */
    public void submit(Runnable command) {
        queue.add(command);
    }

    /** Has the command run in the next turn, and wakes the thread that drives the engine. */
    public void submitAndWake(Runnable command) {
        queue.add(command);
        wake();
    }

    /** Wakes the thread that drives the engine, should it sleep. */
    void wake() {
        wake.run();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Runs at most {@link Limits#COMMANDS_PER_TURN} of them; how many. */
    int run() {
        int done = 0;
        for (; done < Limits.COMMANDS_PER_TURN; done++) {
            Runnable command = queue.poll();
            if (command == null) {
                break;
            }
            command.run();
        }
        return done;
    }
}
