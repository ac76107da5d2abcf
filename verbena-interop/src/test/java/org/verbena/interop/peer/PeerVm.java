package org.verbena.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** A virtual machine with a Linux kernel and one RDMA device, {@code rxe0} or {@code siw0}, or none. */
public final class PeerVm implements AutoCloseable {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(10);
    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(5);

    private final Path directory;
    private final int number;
    private final Guarded keeper;
    private final long pid;
    private final ControlPort control;
    private int jobs;

    private PeerVm(Path directory, int number, Guarded keeper, long pid, ControlPort control) {
        this.directory = directory;
        this.number = number;
        this.keeper = keeper;
        this.pid = pid;
        this.control = control;
    }

    /** Starts one with an RDMA device in a namespace, and waits until it answers. */
    static PeerVm start(Namespace namespace, Device device) throws IOException {
        Path directory = Files.createTempDirectory("verbena-peer");
        String frames = System.getProperty("verbena.interop.frames");
        Guarded keeper = Guarded.start(
                Kernel.SCRIPTS.resolve("vm.sh").toString(),
                Kernel.cache().toString(),
                namespace.name(),
                directory.toString(),
                "" + device.number(),
                device.kind(),
                frames == null ? "" : frames + "." + device.kind());
        return new Booting(directory, device.number(), keeper).await();
    }

    /** Starts one without an RDMA device, with a network card that has its other end in a socket. */
    static Booting boot(int number, CardSocket card) throws IOException {
        Path directory = Files.createTempDirectory("verbena-peer");
        Guarded keeper = Guarded.start(
                Kernel.SCRIPTS.resolve("guest.sh").toString(),
                Kernel.cache().toString(),
                directory.toString(),
                "" + number,
                card.netdev());
        return new Booting(directory, number, keeper);
    }

    /** One that has been started. */
    record Booting(Path directory, int number, Guarded keeper) {
        /** Waits until it answers. */
        PeerVm await() throws IOException {
            try {
                long pid = Long.parseLong(keeper.expect("pid "));
                awaitBoot(directory.resolve("console"), pid);
                return new PeerVm(directory, number, keeper, pid, new ControlPort(directory.resolve("control")));
            } catch (IOException | RuntimeException e) {
                keeper.close();
                throw e;
            }
        }
    }

    private static void awaitBoot(Path console, long pid) throws IOException {
        long deadlineNs = System.nanoTime() + BOOT_LIMIT.toNanos();
        while (!console(console).contains("peer ready")) {
            if (ProcessHandle.of(pid).isEmpty() || System.nanoTime() > deadlineNs) {
                throw new IOException("the VM did not come up; its console: " + console(console));
            }
            pause();
        }
    }

    private static String console(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Its address. */
    public String address(Family family) {
        return family.prefix() + number;
    }

    /** The Ethernet address of its network card. */
    public String macAddress() {
        return String.format(Locale.ROOT, "52:54:00:00:00:%02x", number);
    }

    /** Runs a command to its end, for five minutes at most. */
    public Outcome run(String command) {
        return run(COMMAND_LIMIT, command);
    }

    /** Runs a command to its end. */
    public Outcome run(Duration limit, String command) {
        try {
            return control.run(limit, command);
        } catch (IOException e) {
            if (isGone()) {
                throw new UncheckedIOException(new IOException("the VM is gone; its console: " + console(), e));
            }
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has ended by itself: its kernel panicked, or QEMU did. */
    public boolean isGone() {
        return ProcessHandle.of(pid).isEmpty();
    }

    /** Begins a command that runs beside others; it is killed after the limit. */
    public PeerJob begin(Duration limit, String command) {
        String files = "/tmp/job." + ++jobs;
        run("(timeout -k 2 " + limit.toSeconds() + " /bin/sh -c " + ControlPort.quoted(command) + " >" + files
                        + ".out 2>&1 </dev/null 3>&-; echo $? >" + files + ".status) 3>&- >/dev/null 2>&1 &")
                .succeeds();
        return new PeerJob(this, command, files, limit);
    }

    /** Begins a command that ends by itself within five minutes. */
    public PeerJob begin(String command) {
        return begin(COMMAND_LIMIT, command);
    }

    /** Stops the machine where it is, as if its cable were pulled. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int status =
                    new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor();
            if (status != 0) {
                throw new IllegalStateException("kill -" + name + " " + pid + " ended with " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The text on its console, from its kernel and its first process. */
    public String console() {
        try {
            return console(directory.resolve("console"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        control.close();
        keeper.close();
        for (String file : new String[] {"console", "control"}) {
            Files.deleteIfExists(directory.resolve(file));
        }
        Files.deleteIfExists(directory);
    }
}
