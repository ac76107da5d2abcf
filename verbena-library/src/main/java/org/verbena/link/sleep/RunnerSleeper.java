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
    /** Turns of the engine between two looks at the sources of consumers, by a thread that does not sleep. */
    static final int LOOK_TURNS = 8;

    private final WakeFlag flag = new WakeFlag();
    private volatile Waiter waiter = new ParkWaiter();
    /** The waiter of the present sleep. */
    private Waiter blocking = waiter;

    /** Whether a sleep is under way: from the end of its first part to its last one. Only the driving thread changes and reads it. */
    private boolean underWay;

    private WakeSource[] sources = new WakeSource[0];
    /** Those of consumers. */
    private WakeSource[] attached = new WakeSource[0];
    /** Turns since the last look at them. */
    private int turns;

    private boolean closed;

    /** Attaches a source, for good. The driving thread, or before it starts. */
    public void add(WakeSource source) {
        source.attach(this);
        sources = with(sources, source);
    }

    /**
     * Attaches a source of a consumer, until {@link #detach}. The engine's turns do not look at it, so that {@link #onTurn} does. The driving thread.
     *
     * @throws LinkException if this sleeper cannot watch that kind of source
     */
    public void attach(WakeSource source) {
        source.attach(this);
        attached = with(attached, source);
    }

    /** Looks at a source of a consumer no more. Its watches stay: the caller closes them. The driving thread. */
    public void detach(WakeSource source) {
        attached =
                Arrays.stream(attached).filter(other -> !other.equals(source)).toArray(WakeSource[]::new);
    }

    private static WakeSource[] with(WakeSource[] some, WakeSource source) {
        WakeSource[] all = Arrays.copyOf(some, some.length + 1);
        all[some.length] = source;
        return all;
    }

    /**
     * The engine has had a turn. Looks at the sources of consumers once in {@value #LOOK_TURNS} turns: a thread that spins, or has work, does not sleep. While another thread sleeps here, that
     * thread finds their events. The driving thread.
     */
    public void onTurn() {
        if (attached.length != 0 && ++turns >= LOOK_TURNS) {
            turns = 0;
            if (!underWay && !closed) {
                look();
                lookAt(attached, Long.MAX_VALUE);
            }
        }
    }

    /**
     * Sleeps until a source has an event, a wake-up, or the end of the time. The driving thread.
     *
     * @return false if the time is over and no event is known; true may be wrong
     */
    public boolean sleep(long timeoutNs) {
        long boundNs = prepare(timeoutNs);
        if (boundNs <= 0) {
            return true;
        }
        boolean event = block(boundNs);
        tell();
        return event || boundNs < timeoutNs;
    }

    /**
     * The first of the three parts of a sleep: announces it and looks at every source. The driving thread. Another thread may drive from the end of
     * this call on. {@link #block} follows, by the same thread, if there is time to sleep.
     *
     * @return the longest sleep, in nanoseconds; 0 or less if there is an event already, and then nothing is announced
     */
    public long prepare(long timeoutNs) {
        Waiter by = waiter;
        by.prepare();
        if (!flag.enter()) {
            return 0;
        }
        blocking = by;
        long boundNs = 0;
        try {
            boundNs = lookAtSources(timeoutNs);
        } finally {
            if (boundNs <= 0) {
                flag.leave();
            }
        }
        underWay = boundNs > 0;
        return boundNs;
    }

    private long lookAtSources(long timeoutNs) {
        return lookAt(attached, lookAt(sources, timeoutNs));
    }

    private static long lookAt(WakeSource[] some, long timeoutNs) {
        long boundNs = timeoutNs;
        for (WakeSource source : some) {
            boundNs = Math.min(boundNs, source.sleepMaxNs());
        }
        return boundNs;
    }

    /**
     * The second part: blocks. The thread that {@link #prepare} was called by; it need not drive.
     *
     * @return false if the time is over and no event is known; true may be wrong
     */
    public boolean block(long boundNs) {
        boolean ready = false;
        boolean raised;
        try {
            ready = blocking.await(boundNs);
        } finally {
            raised = flag.leave();
        }
        return raised || ready;
    }

    /** The third part: tells the sources that are ready. The same thread, when it drives again; it may be left out when the sleeper is closed. */
    public void tell() {
        underWay = false;
        blocking.tell();
    }

    /**
     * {@inheritDoc}
     *
     * <p>The waiter has one user at a time: a sleep has it from {@link #prepare} to {@link #tell}, both by a driving thread, and this method, by a
     * driving thread too, leaves it alone meanwhile. No event is lost: descriptors and channels stay ready until they are read, and a wake-up
     * that is found ends the next sleep.
     */
    @Override
    public void look() {
        if (underWay) {
            return;
        }
        Waiter by = waiter;
        if (by.look()) {
            flag.raise();
        }
        by.tell();
    }

    private boolean endSleepUnderWay() {
        if (underWay) {
            rouse();
        }
        return underWay;
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
        replaceBy(made);
        return made;
    }

    @Override
    public Watch watch(SelectableChannel channel, Runnable onReady) {
        if (waiter instanceof SelectorWaiter present) {
            return present.watch(channel, onReady);
        }
        requireUndecided();
        SelectorWaiter made = new SelectorWaiter(this::endSleepUnderWay);
        replaceBy(made);
        return made.watch(channel, onReady);
    }

    /** A thread that sleeps by the old waiter would miss all wake-ups by the new one, so its sleep ends. */
    private void replaceBy(Waiter made) {
        Waiter old = waiter;
        waiter = made;
        old.rouse();
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
