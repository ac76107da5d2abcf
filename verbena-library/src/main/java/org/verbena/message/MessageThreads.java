package org.verbena.message;

/** The threads of this package. */
final class MessageThreads {
    private MessageThreads() {}

    /** Starts a platform thread that does not keep the process alive. */
    static Thread start(String name, Runnable task) {
        return Thread.ofPlatform().name(name).daemon(true).start(task);
    }
}
