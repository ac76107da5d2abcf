package org.verbena.memory.hypervisor;

import java.util.concurrent.Executor;

/** Calls a guest's driver on a virtual thread. The driver may block; no other thread waits for it. */
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
