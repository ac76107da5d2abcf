package org.verbena.message;

import java.lang.foreign.MemorySegment;

/** The threads of this package. */
final class MessageThreads {
    /** Stands for any thread; never started. */
    private static final Thread ANY = Thread.ofVirtual().unstarted(() -> {});

    private MessageThreads() {}

    /** Starts a platform thread that does not keep the process alive. */
    static Thread start(String name, Runnable task) {
        return Thread.ofPlatform().name(name).daemon(true).start(task);
    }

    /** Starts a virtual thread. */
    static void startVirtual(Runnable task) {
        var _ = Thread.ofVirtual().name("request").start(task);
    }

    /** Whether every thread may access a segment. */
    static boolean isShared(MemorySegment segment) {
        return segment.isAccessibleBy(ANY);
    }
}
