package org.verbena.interleave;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** What {@link WovenLoader} has classes call. */
public final class Seam {
    private static final int POLL_STEPS = 100;

    private Seam() {}

    /** Before an atomic operation. */
    public static void point() {
        Interleaver.current().point();
    }

    /** In place of the current thread: each actor counts as a thread of its own. */
    public static Thread currentThread() {
        return Interleaver.current().currentThread();
    }

    /** In place of a pause. */
    public static void pause() {
        Interleaver.current().pass();
    }

    /** In place of a pause for a time. */
    public static void pause(long nanoseconds) {
        pause();
    }

    /** In place of a pause for a time. */
    public static void pause(Object blocker, long nanoseconds) {
        pause();
    }

    public static void lock(ReentrantLock lock) {
        Interleaver.current().lock(lock);
    }

    public static boolean tryLock(ReentrantLock lock) {
        return Interleaver.current().tryLock(lock);
    }

    public static void unlock(ReentrantLock lock) {
        Interleaver.current().unlock(lock);
    }

    /** In place of the beginning of a synchronized block. */
    public static void enter(Object monitor) {
        Interleaver.current().enterMonitor();
    }

    /** In place of the end of a synchronized block. */
    public static void exit(Object monitor) {
        Interleaver.current().exitMonitor();
    }

    public static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long bytes) {
        Interleaver.current().copy(from, fromOffset, to, toOffset, bytes);
    }

    /** After an atomic of the memory under test. */
    public static void atomic() {
        Interleaver.current().atomic();
    }

    /** In place of a page store's: a waiting actor lets the other actors run, one of which ends transfers. */
    public static void await(Object store, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Actor.sleep(POLL_STEPS);
        }
    }

    /** The same for one who does not wait for ever: here what he waits for comes, or the run is wrong. */
    public static boolean await(Object store, BooleanSupplier condition, long limitNs) {
        await(store, condition);
        return true;
    }

    /** A set whose order does not depend on where objects are. */
    public static Set<?> set() {
        return new CopyOnWriteArraySet<>();
    }
}
