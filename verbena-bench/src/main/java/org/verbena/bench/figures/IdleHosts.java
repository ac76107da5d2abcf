package org.verbena.bench.figures;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.verbena.link.frame.FrameCable;
import org.verbena.services.lan.HostDriver;
import org.verbena.services.lan.HostOptions;
import org.verbena.services.lan.HostState;
import org.verbena.services.lan.UnitDriver;
import org.verbena.services.lan.UnitOptions;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/**
 * Idle hosts of one unit, which is in a process of its own: a program that prints two numbers, what a host adds to the unit's process beside its pools, and its pools, in KiB.
 *
 * <p>Arguments: {@code HOSTS}. The growth of the unit's process is that of the live heap and of the resident memory outside the heap. It is counted from before a unit for so many hosts
 * is opened until all are attached and idle, so that the tables and queues that the unit has for them are part of it; the unit's own send buffers, which all hosts share, are not. Another unit was
 * used and closed before: classes are loaded, and methods compiled. The options of the virtual machine are those of {@link ProcessMemory}.
 */
final class IdleHosts {
    private static final long SETTLE_MS = 1500;
    private static final long STEP_MS = 20;
    private static final int STEPS_MAX = 500;
    /** The pools that a unit offers to each host with the default options: 256 buffers of 2 KiB, and 64 for frames with offloads. */
    private static final long POOL_BYTES = 256 * 2048L + 64 * 67_584L;

    private static final long SMALL_BUFFER_BYTES = 64 + 2048;
    private static final long LARGE_BUFFER_BYTES = 64 + 67_584;

    private IdleHosts() {}

    /** Prints two numbers. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        int hosts = Integer.parseInt(arguments[0]);
        if (arguments.length > 1) {
            serve(hosts);
            System.exit(0);
        }
        double bytes = measure(hosts);
        System.out.printf(Locale.ROOT, "%.1f %.1f%n", bytes / 1024, POOL_BYTES / 1024.0);
        System.exit(0);
    }

    private static Adapter open(String name) {
        return Adapter.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), AdapterOptions.DEFAULT.withName(name));
    }

    // --- the process of the unit: opens a unit for each line, and says something about the old one

    private static void serve(int hosts) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Adapter adapter = open("unit");
                FrameCable lan = FrameCable.open()) {
            try (UnitDriver unit = unit(adapter, lan, 8)) {
                tell(adapter, unit);
                in.readLine();
            }
            Thread.sleep(SETTLE_MS);
            long heap = ProcessMemory.liveHeapBytes();
            long resident = ProcessMemory.residentBytes();
            try (UnitDriver unit = unit(adapter, lan, hosts)) {
                tell(adapter, unit);
                in.readLine();
                if (unit.hostCount() != hosts) {
                    throw new MeasurementException(hosts + " hosts expected; found " + unit.hostCount());
                }
                heap = ProcessMemory.liveHeapBytes() - heap;
                resident = ProcessMemory.residentBytes() - resident;
                System.out.println(heap + resident - sharedBytes(hosts));
                in.readLine();
            }
        }
    }

    private static void tell(Adapter adapter, UnitDriver unit) {
        System.out.println(adapter.endpoint().port() + " " + unit.address().getPort());
    }

    private static UnitDriver unit(Adapter adapter, FrameCable lan, int hosts) {
        InetSocketAddress at = new InetSocketAddress(adapter.endpoint().address(), 0);
        UnitDriver unit = UnitDriver.open(
                adapter, lan.left(), UnitOptions.at(at).withHosts(hosts, smallBuffers(hosts), largeBuffers(hosts)));
        unit.start();
        return unit;
    }

    private static int smallBuffers(int hosts) {
        return Math.max(1024, hosts + 1);
    }

    private static int largeBuffers(int hosts) {
        return Math.max(66, hosts + 2);
    }

    private static long sharedBytes(int hosts) {
        return smallBuffers(hosts) * SMALL_BUFFER_BYTES + largeBuffers(hosts) * LARGE_BUFFER_BYTES;
    }

    // --- the process of the hosts

    private static double measure(int hosts) throws IOException, InterruptedException {
        Process server = new ProcessBuilder(serverCommand(hosts))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader answers = server.inputReader(StandardCharsets.UTF_8);
                BufferedWriter questions = server.outputWriter(StandardCharsets.UTF_8);
                Adapter adapter = open("hosts")) {
            close(attach(adapter, 4, answers.readLine()));
            next(questions);
            List<HostDriver> idle = attach(adapter, hosts, answers.readLine());
            Thread.sleep(SETTLE_MS);
            next(questions);
            double bytes = Double.parseDouble(answers.readLine());
            close(idle);
            return bytes / hosts - POOL_BYTES;
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static void next(BufferedWriter questions) throws IOException {
        questions.newLine();
        questions.flush();
    }

    private static void close(List<HostDriver> hosts) {
        hosts.forEach(HostDriver::close);
    }

    private static List<HostDriver> attach(Adapter adapter, int count, String ports) throws InterruptedException {
        int space = ports.indexOf(' ');
        int udpPort = Integer.parseInt(ports.substring(0, space));
        InetSocketAddress unit =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(ports.substring(space + 1)));
        List<HostDriver> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            HostDriver host = HostDriver.open(
                    adapter, FrameCable.open().left(), unit, udpPort, HostOptions.DEFAULT.withName("host" + i));
            hosts.add(host);
            host.start();
            for (int step = 0; host.state() != HostState.UP; step++) {
                if (step == STEPS_MAX) {
                    throw new MeasurementException("host " + i + " is " + host.state() + ": " + host.failure());
                }
                Thread.sleep(STEP_MS);
            }
        }
        return hosts;
    }

    private static List<String> serverCommand(int hosts) {
        List<String> command = new ArrayList<>(List.of(OwnProcess.java()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(IdleHosts.class.getName(), Integer.toString(hosts), "serve"));
        return command;
    }
}
