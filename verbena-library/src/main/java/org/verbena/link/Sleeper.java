package org.verbena.link;

import java.nio.channels.SelectableChannel;

/**
 * The place where the thread that drives an engine waits, for all sources of the engine at once. The runner of the engine owns it.
 *
 * <p>Descriptors and channels cannot be watched by the same sleeper: the system waits for one or the other. Memory, with {@link #rouse}, goes
 * with both.
 */
public interface Sleeper {
    /**
     * Watches a file descriptor of Linux: a socket of a source, or a descriptor from outside, an {@code eventfd} that another process
     * writes to for instance. The driving thread, or before it starts.
     *
     * @param descriptor stays the caller's; the watch is closed before it is
     * @param onReady run by the driving thread, before the sleep returns, each time a sleep or a look finds the descriptor ready
     * @throws LinkException if this sleeper watches channels, or the system refuses
     */
    Watch watch(int descriptor, Runnable onReady);

    /**
     * Watches a channel of the JDK, which must be non-blocking. The driving thread, or before it starts.
     *
     * @param onReady run by the driving thread, before the sleep returns, each time a sleep or a look finds the channel ready
     * @throws LinkException if this sleeper watches descriptors, or the system refuses
     */
    Watch watch(SelectableChannel channel, Runnable onReady);

    /**
     * Looks at everything that is watched, without a wait, and tells what is ready. For sources of an engine that has work: its thread
     * does not sleep. While another thread sleeps here, it does nothing: that thread finds the events and tells them when it drives. The driving
     * thread, not from within {@code onReady}; a system call.
     */
    void look();

    /** Ends the current sleep, or else the next one. Any thread; no system call while the thread is awake. */
    void wakeup();

    /**
     * Ends the current sleep, if there is one. For sources in memory: the caller makes an event visible that {@link WakeSource#sleepMaxNs}
     * looks at, then issues a full fence, then calls this. Any thread; reads one word while the thread is awake.
     */
    void rouse();
}
