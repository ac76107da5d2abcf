package org.verbena.link.sleep;

import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.link.Watch;

/**
 * A source of the consumer's own, as the sleeper of a runner knows it: its events end the waits on one completion queue.
 *
 * <p>An event stays until the consumer takes it, and would end each sleep of the driving thread until then. So the source is <em>muted</em> by an event that the
 * driving thread cannot take: its watches want nothing, and it limits no sleep. The next wait on the queue asks for it again. No event is lost: the driving thread mutes and then
 * looks for a thread that waits; a thread that begins a wait names itself and then looks whether the source is muted. At least one of the two sees the other.
 */
public final class AttachedSource implements WakeSource {
    private final WakeSource source;
    private final AtomicReference<@Nullable Thread> waiter;
    private final Runnable wakeup;

    /** Null until the driving thread has attached it. */
    private volatile @Nullable Sleeper sleeper;

    private volatile boolean muted;
    /** Whether a thread that waits asks for a muted source. */
    private volatile boolean wanted;

    // The driving thread's:
    private final List<MutableWatch> watches = new ArrayList<>();
    private boolean ended;

    /**
     * A source of one queue.
     *
     * @param waiter the thread that waits on the queue
     * @param wakeup ends its wait
     */
    public AttachedSource(WakeSource source, AtomicReference<@Nullable Thread> waiter, Runnable wakeup) {
        this.source = source;
        this.waiter = waiter;
        this.wakeup = wakeup;
    }

    /** Whether it stands for this source. */
    public boolean isOf(WakeSource other) {
        return source.equals(other);
    }

    // --- the driving thread

    @Override
    public void attach(Sleeper by) {
        try {
            source.attach(new ListeningSleeper(by));
            sleeper = by;
        } catch (RuntimeException | Error refused) {
            end();
            throw refused;
        }
    }

    @Override
    public long sleepMaxNs() {
        if (ended || (muted && !wanted)) {
            return Long.MAX_VALUE;
        }
        if (muted) {
            listen();
        }
        long boundNs = source.sleepMaxNs();
        if (boundNs > 0) {
            return boundNs;
        }
        onEvent();
        return muted ? Long.MAX_VALUE : 0;
    }

    private void onEvent() {
        if (ended) {
            return;
        }
        if (Thread.currentThread().equals(waiter.get())) {
            wakeup.run(); // it takes the event when its wait has returned
            return;
        }
        mute();
        if (waiter.get() != null) {
            wakeup.run();
        }
    }

    private void mute() {
        wanted = false;
        muted = true;
        for (int i = 0; i < watches.size(); i++) {
            watches.get(i).apply();
        }
    }

    private void listen() {
        muted = false;
        for (int i = 0; i < watches.size(); i++) {
            watches.get(i).apply();
        }
    }

    /** Closes the watches that the source has not closed. */
    public void end() {
        ended = true;
        while (!watches.isEmpty()) {
            watches.getLast().close();
        }
    }

    // --- the thread that begins a wait

    /** Has the driving thread look at the source again, if it is muted. The calling thread is known as the one that waits. */
    public void want() {
        Sleeper by = sleeper;
        if (muted && by != null) {
            wanted = true;
            VarHandle.fullFence();
            by.rouse();
        }
    }

    /** What the source sees of the adapter's sleeper. */
    private final class ListeningSleeper implements Sleeper {
        private final Sleeper by;

        ListeningSleeper(Sleeper by) {
            this.by = by;
        }

        @Override
        public Watch watch(int descriptor, Runnable onReady) {
            return add(by.watch(descriptor, telling(onReady)));
        }

        @Override
        public Watch watch(SelectableChannel channel, Runnable onReady) {
            return add(by.watch(channel, telling(onReady)));
        }

        private Runnable telling(Runnable onReady) {
            return () -> {
                onReady.run();
                onEvent();
            };
        }

        private Watch add(Watch watch) {
            MutableWatch made = new MutableWatch(watch);
            watches.add(made);
            return made;
        }

        @Override
        public void look() {
            by.look();
        }

        @Override
        public void wakeup() {
            by.wakeup();
        }

        /** An event of a muted source ends no sleep. The driving thread looks at the source after it has unmuted it. */
        @Override
        public void rouse() {
            if (!muted) {
                by.rouse();
            }
        }
    }

    /** A watch that wants nothing while the source is muted. */
    private final class MutableWatch implements Watch {
        private final Watch watch;
        private boolean read;
        private boolean write;

        MutableWatch(Watch watch) {
            this.watch = watch;
        }

        @Override
        public void wants(boolean read, boolean write) {
            this.read = read;
            this.write = write;
            apply();
        }

        private void apply() {
            watch.wants(read && !muted, write && !muted);
        }

        @Override
        public void close() {
            watches.remove(this);
            watch.close();
        }
    }
}
