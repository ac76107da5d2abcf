package org.verbena.link.sleep;

import java.nio.channels.SelectableChannel;
import java.util.Arrays;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.link.Watch;

/**
 * The sleeper of a runner. It begins without the system; the first descriptor or channel that a source watches decides how it waits from
 * then on.
 *
 * <p>A wake-up is never lost: the thread announces its sleep, then looks at every source once more, then blocks. A source makes its event
 * visible, then looks for the announcement.
 */
public final class RunnerSleeper implements Sleeper, AutoCloseable {
    private final WakeFlag flag = new WakeFlag();
    private volatile Waiter waiter = new ParkWaiter();
    private WakeSource[] sources = new WakeSource[0];
    private boolean closed;

    /** Attaches a source, for good. The driving thread, or before it starts. */
    public void add(WakeSource source) {
        source.attach(this);
        sources = Arrays.copyOf(sources, sources.length + 1);
        sources[sources.length - 1] = source;
    }

    /**
     * Sleeps until a source has an event, a wake-up, or the end of the time. The driving thread.
     *
     * @return false if the time is over and no event is known; true may be wrong
     */
    public boolean sleep(long timeoutNs) {
        Waiter by = waiter;
        by.prepare();
        if (!flag.enter()) {
            return true;
        }
        long boundNs = timeoutNs;
        boolean ready = false;
        boolean raised;
        try {
            for (WakeSource source : sources) {
                boundNs = Math.min(boundNs, source.sleepMaxNs());
            }
            if (boundNs > 0) {
                ready = by.await(boundNs);
            }
        } finally {
            raised = flag.leave();
        }
        return raised || ready || boundNs < timeoutNs;
    }

    @Override
    public void wakeup() {
        if (flag.raise()) {
            waiter.rouse();
        }
    }

    @Override
    public void rouse() {
        if (flag.raiseIfAsleep()) {
            waiter.rouse();
        }
    }

    @Override
    public Watch watch(int descriptor, Runnable onReady) {
        return epoll().watch(descriptor, onReady);
    }

    /**
     * A descriptor for other processes: each write of the 8-byte number 1 to it, or to a duplicate of it, ends the current or the next
     * sleep. Linux only. The writer first makes its event visible, in shared memory for instance, then reads the word of the doorbell that
     * tells a sleeping engine, and writes only if the engine sleeps.
     *
     * @throws LinkException if this sleeper watches channels, or the system refuses
     */
    public int wakeDescriptor() {
        return epoll().eventDescriptor();
    }

    private EpollWaiter epoll() {
        if (waiter instanceof EpollWaiter present) {
            return present;
        }
        requireUndecided();
        EpollWaiter made = new EpollWaiter();
        waiter = made;
        return made;
    }

    @Override
    public Watch watch(SelectableChannel channel, Runnable onReady) {
        if (waiter instanceof SelectorWaiter present) {
            return present.watch(channel, onReady);
        }
        requireUndecided();
        SelectorWaiter made = new SelectorWaiter();
        waiter = made;
        return made.watch(channel, onReady);
    }

    private void requireUndecided() {
        if (closed) {
            throw new LinkException("a source for a closed sleeper found");
        }
        if (!(waiter instanceof ParkWaiter)) {
            throw new LinkException(
                    "descriptors and channels for one engine found, one of the two expected: use one UDP driver for all its links");
        }
    }

    /** Gives everything back. Watches and wake-ups then do nothing. Closing again does nothing. */
    @Override
    public void close() {
        closed = true;
        waiter.close();
    }
}
