package org.verbena.services.lan;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace of its own: a thread that has left the system's namespace. Ports, sockets and processes that it opens are in the namespace; any thread may
 * use them. The namespace is gone when the thread and all of these are.
 */
final class NetworkNamespace implements AutoCloseable {
    private static final int CLONE_NEWNET = 0x4000_0000;
    /** A process that has not ended by itself is ended; far more time than a loaded machine needs. */
    private static final int PROCESS_LIMIT_S = 200;

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
    private final List<Process> processes = new ArrayList<>();

    /** What a process printed, and its exit code. */
    record Outcome(List<String> command, int code, String printed) {
        /** What it printed; fails if its exit code is not 0. */
        String succeeded() {
            assertEquals(0, code, () -> command + " printed: " + printed);
            return printed;
        }
    }

    /** Makes one. Skips the test where that cannot be. */
    NetworkNamespace() throws Exception {
        assumeTrue(System.getProperty("os.name", "").equals("Linux"), "network namespaces need Linux");
        assumeTrue(call(NetworkNamespace::unshare), "network namespaces cannot be made here: not root");
        // Addresses of IPv6 can be used at once.
        call(() -> Files.writeString(Path.of("/proc/sys/net/ipv6/conf/default/accept_dad"), "0"));
        ip("link", "set", "lo", "up");
    }

    @SuppressWarnings("restricted") // a system call that the library has no use for
    private static boolean unshare() {
        Linker linker = Linker.nativeLinker();
        try {
            return (int) linker.downcallHandle(
                                    linker.defaultLookup().findOrThrow("unshare"),
                                    FunctionDescriptor.of(JAVA_INT, JAVA_INT))
                            .invokeExact(CLONE_NEWNET)
                    == 0;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Runs code in the namespace. */
    <T> T call(Callable<T> code) throws Exception {
        try {
            return thread.submit(code).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        }
    }

    /** Starts a process, which is ended with the namespace at the latest. */
    Process start(String... command) throws Exception {
        Process process =
                call(() -> new ProcessBuilder(command).redirectErrorStream(true).start());
        processes.add(process);
        return process;
    }

    /** Runs a process to its end. */
    Outcome run(String... command) throws Exception {
        return outcome(start(command), command);
    }

    /** Waits for the end of a process. */
    static Outcome outcome(Process process, String... command) throws Exception {
        CompletableFuture.delayedExecutor(PROCESS_LIMIT_S, TimeUnit.SECONDS).execute(process::destroyForcibly);
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(List.of(command), process.waitFor(), printed);
    }

    /** Runs a command of {@code ip}. */
    String ip(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new)).succeeded();
    }

    @Override
    public void close() {
        processes.forEach(process -> process.destroyForcibly().onExit().join());
        thread.shutdown();
    }
}
