package org.verbena.interop.subnet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The UDP ports of the calling thread's network namespace, as the kernel lists them. Reading the list disturbs no program that binds a port. A
 * test's thread may be in another namespace than its process.
 */
final class UdpPorts {
    /** Below the ports that the kernel gives to sockets without a port of their own. */
    private static final int FIRST = 19_000;

    private static final int LAST = 30_000;

    private static int next = FIRST;

    private UdpPorts() {}

    /** The first of some ports in a row that no socket has, and that this method did not return before. */
    static synchronized int takeFree(int ports) {
        Set<Integer> bound = bound();
        for (int port = next; port + ports < LAST; port += ports) {
            if (IntStream.range(port, port + ports).noneMatch(bound::contains)) {
                next = port + ports;
                return port;
            }
        }
        throw new AssertionError("no " + ports + " free ports in a row");
    }

    static boolean isBound(int port) {
        return bound().contains(port);
    }

    private static Set<Integer> bound() {
        return Stream.of("/proc/thread-self/net/udp", "/proc/thread-self/net/udp6")
                .map(Path::of)
                .filter(Files::exists)
                .flatMap(UdpPorts::sockets)
                .map(UdpPorts::port)
                .collect(Collectors.toSet());
    }

    private static Stream<String> sockets(Path list) {
        try {
            return Files.readAllLines(list).stream().skip(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Columns: number, local address and port in hexadecimal digits, … */
    private static int port(String socket) {
        String local = socket.strip().split(" +", 3)[1];
        return Integer.parseInt(local.substring(local.indexOf(':') + 1), 16);
    }
}
