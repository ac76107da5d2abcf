package org.verbena.interop.subnet;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The real ibsim. */
final class IbsimProcess implements AutoCloseable {
    private static final int PORTS = 11;
    private static final int FIRST = 19_000;
    private static final int LAST = 30_000;

    private static int next = FIRST;

    private final RunningTool process;
    private final int port;

    private IbsimProcess(RunningTool process, int port) {
        this.process = process;
        this.port = port;
    }

    static IbsimProcess start(Path net, Path folder) throws IOException, InterruptedException {
        int port = freePort();
        Files.createDirectories(folder);
        Path output = folder.resolve("ibsim.txt");
        // It would read commands: its input stays open.
        Process process = new ProcessBuilder(
                        SubnetTools.path("ibsim"), "-n", "-s", "-r", "-l", Integer.toString(port), net.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        RunningTool tool = new RunningTool("ibsim " + net, process, output);
        IbsimProcess made = new IbsimProcess(tool, port);
        try {
            tool.await("the control port", () -> !isFree(port));
            tool.awaitText(output, "simulator ready");
            return made;
        } catch (InterruptedException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    private static synchronized int freePort() {
        for (int port = next; port < LAST; port += PORTS) {
            boolean free = true;
            for (int i = 0; i < PORTS && free; i++) {
                free = isFree(port + i);
            }
            if (free) {
                next = port + PORTS;
                return port;
            }
        }
        throw new AssertionError("no " + PORTS + " free ports in a row");
    }

    private static boolean isFree(int port) {
        try (DatagramSocket _ = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
