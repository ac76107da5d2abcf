package org.verbena.bench.first;

/** Work of a server beside its control socket. It ends with the process. */
final class Background {
    /** Work that may fail. */
    interface Work {
        void run() throws Exception;
    }

    private Background() {}

    /** Starts it on a thread of its own. A failure is printed; the client notices that no answer comes. */
    static Thread start(Work work) {
        return Thread.ofPlatform().daemon().start(guarded(work));
    }

    /** Starts it on a virtual thread. */
    static Thread startVirtual(Work work) {
        return Thread.ofVirtual().start(guarded(work));
    }

    @SuppressWarnings("CatchAndPrintStackTrace") // the output of the process is shown when it fails
    private static Runnable guarded(Work work) {
        return () -> {
            try {
                work.run();
            } catch (Exception e) {
                e.printStackTrace();
            }
        };
    }
}
