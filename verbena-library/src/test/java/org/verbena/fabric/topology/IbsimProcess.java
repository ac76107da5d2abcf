package org.verbena.fabric.topology;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The real ibsim, where it is installed, with a net file; tools attach to it over loopback. */
final class IbsimProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;
    private static final int ATTEMPTS = 20;
    /** One for control and ten for clients. */
    private static final int PORTS = 11;

    private static final int FIRST_PORT = 19_000;
    private static final int LAST_PORT = 30_000;

    private final Process ibsim;
    private final Path folder;
    private final int port;
    private final Path library;

    private IbsimProcess(Process ibsim, Path folder, int port, Path library) {
        this.ibsim = ibsim;
        this.folder = folder;
        this.port = port;
        this.library = library;
    }

    /** Whether ibsim and the diagnostic tools are installed. */
    static boolean isInstalled() {
        return library().isPresent() && Stream.of("ibsim", "ibnetdiscover").allMatch(IbsimProcess::isCommand);
    }

    private static boolean isCommand(String name) {
        return Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin")
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
    }

    /** The library that lets a tool reach ibsim in place of the kernel. */
    private static Optional<Path> library() {
        return Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu", ".")
                .map(machine -> Path.of("/usr/lib", machine, "umad2sim", "libumad2sim.so"))
                .filter(Files::exists)
                .findFirst();
    }

    static IbsimProcess start(Path folder, String net) throws IOException {
        Path file = Files.writeString(folder.resolve("net"), net);
        int port = freePort();
        Process ibsim = new ProcessBuilder("ibsim", "-n", "-s", "-r", "-l", Integer.toString(port), file.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        StringBuilder said = new StringBuilder();
        BufferedReader out = new BufferedReader(new InputStreamReader(ibsim.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            said.append(line).append('\n');
            if (line.contains("Network simulator ready")) {
                return new IbsimProcess(ibsim, folder, port, library().orElseThrow());
            }
        }
        throw new AssertionError("ibsim does not accept the file:\n" + said);
    }

    /** The first of the ports in a row that ibsim binds. The kernel gives none of them to a socket without a port of its own. */
    private static int freePort() {
        return IntStream.iterate(FIRST_PORT, port -> port < LAST_PORT, port -> port + PORTS)
                .filter(port -> IntStream.range(port, port + PORTS).allMatch(IbsimProcess::isFree))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isFree(int port) {
        try (DatagramSocket _ = new DatagramSocket(port)) {
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    /** The output of a tool that is attached at a node. ibsim says that it is ready before it listens, so a tool may find nothing at first. */
    String run(String node, List<String> command) throws IOException, InterruptedException {
        for (int i = 0; i < ATTEMPTS; i++) {
            String out = runOnce(node, command);
            if (!out.isBlank()) {
                return out;
            }
        }
        throw new AssertionError(command + " prints nothing");
    }

    private String runOnce(String node, List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "tool", ".out");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectOutput(out.toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment()
                .putAll(Map.of(
                        "LD_PRELOAD",
                        library.toString(),
                        "IBSIM_SERVER_NAME",
                        "127.0.0.1",
                        "IBSIM_SERVER_PORT",
                        Integer.toString(port),
                        "SIM_HOST",
                        node));
        Process tool = builder.start();
        if (!tool.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            tool.destroyForcibly();
            throw new AssertionError(command + " does not end");
        }
        return Files.readString(out);
    }

    @Override
    public void close() {
        ibsim.destroyForcibly();
        try {
            ibsim.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
