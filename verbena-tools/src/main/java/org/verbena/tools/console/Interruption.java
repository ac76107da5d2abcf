package org.verbena.tools.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order when the process is told to end (Ctrl-C, SIGTERM): the stop sign goes up, and the process
 * stays until the command has closed this, or for {@value #PATIENCE_SECONDS} seconds.
 */
public final class Interruption implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 5;

    private final CountDownLatch done = new CountDownLatch(1);
    private final StopSign stop;
    private final Thread hook;

    /** From now on the end of the process raises this sign first. */
    public Interruption(StopSign stop) {
        this.stop = stop;
        this.hook = new Thread(this::interrupt, "interruption");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupt() {
        stop.raise();
        try {
            if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("verbena: did not end within " + PATIENCE_SECONDS + " s of being told to");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command has said everything: the process may end. */
    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // The hook waits for this thread, and has just been released.
        }
    }
}
