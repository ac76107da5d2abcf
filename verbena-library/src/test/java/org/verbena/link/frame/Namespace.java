package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A network namespace of its own, without IPv6: a thread that has left the system's namespace. Ports, sockets and processes that it opens are in the
 * namespace; any thread may use them. The namespace is gone when the thread and all of these are.
 */
final class Namespace implements AutoCloseable {
    private static final int CLONE_NEWNET = 0x4000_0000;

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

    /** Makes one. Skips the test where that cannot be. */
    Namespace() throws Exception {
        assumeTrue(System.getProperty("os.name", "").equals("Linux"), "network namespaces need Linux");
        assumeTrue(call(Namespace::unshare), "network namespaces cannot be made here: not root");
        call(() -> Files.writeString(Path.of("/proc/sys/net/ipv6/conf/default/disable_ipv6"), "1"));
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
        } catch (java.util.concurrent.ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        }
    }

    /** Opens a TAP interface. Skips the test where the system has no such device. */
    FramePort tap(String name) throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "no /dev/net/tun");
        return call(() -> TapPort.open(name));
    }

    void allowIpv6(String networkInterface) throws Exception {
        Path setting = Path.of("/proc/sys/net/ipv6/conf", networkInterface, "disable_ipv6");
        call(() -> Files.writeString(setting, "0"));
    }

    Process start(String... command) throws Exception {
        return call(() -> new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Runs a command of {@code ip} in the namespace. */
    void ip(String... arguments) throws Exception {
        assertEquals(0, tryIp(arguments), () -> "failed: ip " + String.join(" ", arguments));
    }

    int tryIp(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        try {
            Process process = start(command.toArray(String[]::new));
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                System.out.println(command + ": " + printed);
            }
            return code;
        } catch (IOException e) {
            assumeTrue(false, "ip is not installed");
            return -1;
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
