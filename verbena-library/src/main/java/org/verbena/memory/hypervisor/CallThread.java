package org.verbena.memory.hypervisor;

import java.util.concurrent.Executor;

/** Calls a guest's driver or a listener of page faults on a virtual thread. It may block; no other thread waits for it. */
final class CallThread implements Executor {
    private final String name;

    CallThread(String name) {
        this.name = name;
    }

    @Override
    public void execute(Runnable command) {
        Thread.ofVirtual().name(name).start(command);
    }
}
