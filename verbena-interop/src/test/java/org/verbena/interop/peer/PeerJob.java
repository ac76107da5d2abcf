package org.verbena.interop.peer;

import java.time.Duration;

/** A command that runs in a VM beside others. */
public final class PeerJob {
    private final PeerVm vm;
    private final String command;
    private final String files;
    private final Duration limit;

    PeerJob(PeerVm vm, String command, String files, Duration limit) {
        this.vm = vm;
        this.command = command;
        this.files = files;
        this.limit = limit;
    }

    /** Its output so far, and its exit status if it has ended. */
    public String said() {
        return command + ": "
                + vm.run("cat " + files + ".out " + files + ".status").output();
    }

    /** Waits until it has said this. */
    public PeerJob says(String part) {
        awaits("grep -q " + ControlPort.quoted(part) + " " + files + ".out || test -e " + files + ".status");
        return this;
    }

    /** Waits until a process with this name sleeps: it has begun, and waits for something. */
    public PeerJob isRunning(String name) {
        awaits("grep -q '^State:.S' /proc/$(pidof " + name + ")/status || test -e " + files + ".status");
        return this;
    }

    /** Waits until a process with this name is in this function of the kernel. */
    public PeerJob waitsIn(String name, String function) {
        awaits("grep -q " + function + " /proc/$(pidof " + name + ")/wchan || test -e " + files + ".status");
        return this;
    }

    /** Waits until a process of the VM listens at this TCP port. */
    public PeerJob listensAt(int port) {
        awaits("ss -Hltn 'sport = :" + port + "' | grep -q . || test -e " + files + ".status");
        return this;
    }

    /** Waits for its end. */
    public Outcome end() {
        awaits("test -e " + files + ".status");
        Outcome outcome = vm.run("cat " + files + ".out; exit $(cat " + files + ".status)");
        return new Outcome(command, outcome.status(), outcome.output());
    }

    private void awaits(String condition) {
        long deadlineNs = System.nanoTime() + limit.toNanos() + 10_000_000_000L;
        while (vm.run(condition).status() != 0) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException("in vain: " + condition + "\n" + command + " has said: "
                        + vm.run("cat " + files + ".out").output());
            }
            PeerVm.pause();
        }
    }
}
