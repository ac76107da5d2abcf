package org.verbena.memory.registration;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread of the process that sweeps all its registration tables from time to time. It is started with the first table and ends when there is none for
 * a while.
 */
public final class SweepThread {
    /** Time between two sweeps. */
    private static final long PAUSE_NS = 200_000_000;
    /** Pauses without a table after which the thread ends. */
    private static final int PAUSES_MAX = 25;

    private static final Set<BufferTable> TABLES = ConcurrentHashMap.newKeySet();
    private static @Nullable Thread thread;

    private SweepThread() {}

    /** Has a table swept from now on until it is {@linkplain #remove removed}. */
    public static void add(BufferTable table) {
        TABLES.add(table);
        start();
    }

    /** The table is closed. It is swept until its last operation has ended. */
    public static void remove(BufferTable table) {
        if (table.isDone()) {
            TABLES.remove(table);
        }
    }

    private static synchronized void start() {
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("verbena-registrations").start(SweepThread::work);
        }
    }

    private static void work() {
        int pauses = 0;
        while (pauses < PAUSES_MAX || !end()) {
            LockSupport.parkNanos(PAUSE_NS);
            boolean _ = Thread.interrupted(); // no one has a reason to interrupt it, and it must not spin
            pauses = TABLES.isEmpty() ? pauses + 1 : 0;
            TABLES.forEach(SweepThread::sweep);
        }
    }

    private static synchronized boolean end() {
        if (!TABLES.isEmpty()) {
            return false;
        }
        thread = null;
        return true;
    }

    private static void sweep(BufferTable table) {
        int _ = table.sweep();
        if (table.isDone()) {
            TABLES.remove(table);
        }
    }
}
