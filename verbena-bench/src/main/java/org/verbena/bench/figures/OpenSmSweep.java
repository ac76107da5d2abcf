package org.verbena.bench.figures;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.ibsim.IbsimServer;
import org.verbena.fabric.ibsim.Rehearsal;
import org.verbena.fabric.topology.NetFile;
import org.verbena.fabric.topology.Topologies;
import org.verbena.fabric.topology.Topology;

/**
 * Sweeps of OpenSM: a program that prints two numbers, the seconds of the first sweep and of the last of {@value #SWEEPS}. Each sweep finds a fabric that no manager
 * has seen. Ours are all in this process, which has just begun at the first one and has rehearsed as the command does; each ibsim is a process of its own.
 *
 * <p>Arguments: {@link #OURS} or {@link #IBSIM}, then the number of hosts, 108 or 1024.
 */
final class OpenSmSweep {
    static final String OURS = "ours";
    static final String IBSIM = "ibsim";
    static final int SWEEPS = 3;

    private static final int PORTS = 11;
    private static final int FIRST_PORT = 19_000;
    private static final int LAST_PORT = 30_000;
    private static final int READY_MS = 10_000;

    private OpenSmSweep() {}

    /** Prints two numbers. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        boolean ours = arguments[0].equals(OURS);
        int hosts = Integer.parseInt(arguments[1]);
        Path folder = Files.createTempDirectory("verbena-sweep");
        double first = 0;
        double last = 0;
        try {
            if (ours) {
                Rehearsal.run(Rehearsal.USUAL); // as the command does before it says that it serves
            }
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                last = ours ? sweepOurs(hosts, folder) : sweepIbsim(hosts, folder);
                first = sweep == 0 ? last : first;
            }
        } finally {
            delete(folder);
        }
        System.out.printf(Locale.ROOT, "%.4f %.4f%n", first, last);
        System.exit(0);
    }

    private static Topology topology(int hosts) {
        return switch (hosts) {
            case 108 -> Topologies.twoLevelFatTree(6, 3, 18, 6);
            case 1024 -> Topologies.threeLevelFatTree(32, 4);
            default -> throw new MeasurementException(hosts + " hosts found, 108 or 1024 expected");
        };
    }

    private static String managerNode(int hosts) {
        return topology(hosts).nodes().getFirst().name();
    }

    private static double sweepOurs(int hosts, Path folder) throws IOException, InterruptedException {
        try (Fabric fabric = Fabric.of(topology(hosts));
                IbsimServer server = IbsimServer.open(fabric, 0)) {
            fabric.start();
            return OpenSm.sweep(server.port(), managerNode(hosts), folder);
        }
    }

    // --- ibsim

    private static double sweepIbsim(int hosts, Path folder) throws IOException, InterruptedException {
        Path net = Files.writeString(folder.resolve("subnet.net"), NetFile.write(topology(hosts)));
        Path output = folder.resolve("ibsim.out");
        int port = freePort();
        Process process = new ProcessBuilder(
                        OpenSm.find("ibsim").toString(), "-n", "-s", "-r", "-l", Integer.toString(port), net.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            awaitReady(process, output);
            return OpenSm.sweep(port, managerNode(hosts), folder);
        } finally {
            process.destroy();
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
    }

    private static void awaitReady(Process process, Path output) throws IOException, InterruptedException {
        for (int waited = 0; waited < READY_MS && process.isAlive(); waited += 5) {
            if (Files.readString(output, StandardCharsets.ISO_8859_1).contains("simulator ready")) {
                return;
            }
            Thread.sleep(5);
        }
        throw new MeasurementException("ibsim is not ready: "
                + Files.readString(output, StandardCharsets.ISO_8859_1).strip());
    }

    private static int freePort() {
        for (int port = FIRST_PORT; port < LAST_PORT; port += PORTS) {
            boolean free = true;
            for (int i = 0; i < PORTS && free; i++) {
                free = isFree(port + i);
            }
            if (free) {
                return port;
            }
        }
        throw new MeasurementException("no " + PORTS + " free ports in a row");
    }

    private static boolean isFree(int port) {
        try (DatagramSocket _ = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }
}
