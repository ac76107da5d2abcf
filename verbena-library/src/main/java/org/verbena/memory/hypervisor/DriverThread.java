package org.verbena.memory.hypervisor;

import java.util.concurrent.Executor;

/** Calls a guest's driver on a virtual thread: it may take as long as it likes and keeps nobody. */
final class DriverThread implements Executor {
    private final String name;

    DriverThread(int domain) {
        this.name = "guest-" + domain + "-driver";
    }

    @Override
    public void execute(Runnable command) {
        Thread.ofVirtual().name(name).start(command);
    }
}
