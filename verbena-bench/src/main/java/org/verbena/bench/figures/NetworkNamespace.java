package org.verbena.bench.figures;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A network namespace: a thread that has left that of the process. What the thread opens and starts is in the namespace, and any thread may use it. The namespace is gone when the
 * thread and all of these are.
 */
final class NetworkNamespace implements AutoCloseable {
    private static final int CLONE_NEWNET = 0x4000_0000;

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

    /** @throws MeasurementException if the system refuses */
    NetworkNamespace() throws InterruptedException {
        if (call(NetworkNamespace::unshare) != 0) {
            close();
            throw new MeasurementException("the system refuses a network namespace");
        }
    }

    @SuppressWarnings("restricted") // a system call that the library has no use for
    private static int unshare() throws IOException {
        Linker linker = Linker.nativeLinker();
        try {
            return (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("unshare"), FunctionDescriptor.of(JAVA_INT, JAVA_INT))
                    .invokeExact(CLONE_NEWNET);
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }

    /** Runs code in the namespace. */
    <T> T call(Callable<T> code) throws InterruptedException {
        try {
            return thread.submit(code).get();
        } catch (ExecutionException e) {
            throw new MeasurementException(String.valueOf(e.getCause()), e);
        }
    }

    /** Starts a program in the namespace; its errors are part of its output. */
    Process start(String... command) throws InterruptedException {
        return call(() -> new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Runs a program in the namespace to its end; its output. */
    String output(String... command) throws InterruptedException {
        Process process = start(command);
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new MeasurementException(
                        "failed: " + String.join(" ", command) + ": " + Program.Running.shortened(printed));
            }
            return printed;
        } catch (IOException e) {
            throw new MeasurementException("no output of " + String.join(" ", command), e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs a command of {@code ip}. */
    void ip(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        output(command.toArray(String[]::new));
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
