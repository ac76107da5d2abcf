package org.verbena.tools.perf;

import org.jspecify.annotations.Nullable;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;

/** Gives a target its turns until it is closed. */
final class TargetThread implements AutoCloseable {
    /** Comes after the adapter's name in the thread's. */
    static final String SUFFIX = " target";

    private final Target target;
    private final Patience patience;
    private final StopSign stop = new StopSign();
    private final Thread thread;
    private volatile @Nullable RuntimeException failure;

    TargetThread(Side side, Target target) {
        this.target = target;
        this.patience = new Patience(side, target.watchesMemory(), stop);
        this.thread = Thread.ofPlatform()
                .daemon(true)
                .name(side.adapter().name() + SUFFIX)
                .start(this::run);
    }

    private void run() {
        try {
            while (!stop.isRaised()) {
                if (target.turn() > 0) {
                    patience.renew();
                } else {
                    patience.pause();
                }
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** Ends the turns; says so if they ended by themselves. */
    @Override
    public void close() {
        stop.raise();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        RuntimeException found = failure;
        if (found != null) {
            throw new ToolException("the target failed: " + found, found);
        }
    }
}
