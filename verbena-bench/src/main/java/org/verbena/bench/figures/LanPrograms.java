package org.verbena.bench.figures;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.verbena.link.frame.FramePort;
import org.verbena.link.frame.TapPort;
import org.verbena.services.lan.HostDriver;
import org.verbena.services.lan.HostOptions;
import org.verbena.services.lan.HostState;
import org.verbena.services.lan.UnitDriver;
import org.verbena.services.lan.UnitOptions;
import org.verbena.verbs.AdapterOptions;

/**
 * iperf3 and ping between two network namespaces: a program that prints the bandwidth of a TCP connection in Gbit/s, that of the other direction, and the median time of ping in microseconds.
 *
 * <p>Arguments: {@code BETWEEN SECONDS}. {@code VETH}: a pair of interfaces of the kernel. Otherwise a {@link FabricLink.Kind}: TAP interface, host, link, unit, TAP
 * interface, host and unit in this process with default options. The MTU is 1,500, and offloads are on.
 */
final class LanPrograms {
    /** What is between the namespaces, if not the split driver. */
    static final String VETH = "VETH";

    /** Index of the bandwidth towards the unit in the line that is printed. */
    static final int TO_UNIT = 0;
    /** Index of the bandwidth towards the host. */
    static final int TO_HOST = 1;
    /** Index of the time of ping. */
    static final int PING = 2;

    private static final String NEAR = "10.88.0.1";
    private static final String FAR = "10.88.0.2";
    /** Until the drivers are compiled, beside iperf3. */
    private static final String WARM_UP_SECONDS = "5";
    /** The kernel's interfaces need none. */
    private static final String WARM_UP_SECONDS_VETH = "1";

    private static final String PINGS = "1000";
    private static final long STEP_MS = 50;
    private static final int STEPS_MAX = 200;
    private static final Pattern TIME = Pattern.compile("time=([0-9.]+) ms");

    private LanPrograms() {}

    /** Why this cannot be measured here; null if it can. */
    static @Nullable String missing() {
        for (String program : new String[] {"ip", "iperf3", "ping"}) {
            if (!Program.installed(program)) {
                return program + " is not installed";
            }
        }
        try (NetworkNamespace namespace = new NetworkNamespace()) {
            namespace.call(() -> TapPort.open("")).close();
            return null;
        } catch (MeasurementException e) {
            return "no TAP interface in a network namespace: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Prints three numbers. */
    public static void main(String... arguments) throws InterruptedException {
        try (NetworkNamespace near = new NetworkNamespace();
                NetworkNamespace far = new NetworkNamespace()) {
            if (arguments[0].equals(VETH)) {
                connect(near, far);
                measure(near, far, WARM_UP_SECONDS_VETH, arguments[1]);
            } else {
                throughSplitDriver(FabricLink.Kind.valueOf(arguments[0]), near, far, arguments[1]);
            }
        }
    }

    private static void connect(NetworkNamespace near, NetworkNamespace far) throws InterruptedException {
        Process inFar = far.start("sleep", "20"); // names the namespace
        try {
            near.ip("link", "add", "lan0", "type", "veth", "peer", "name", "lan0", "netns", "" + inFar.pid());
        } finally {
            inFar.destroyForcibly();
        }
        near.ip("link", "set", "lan0", "up");
        far.ip("link", "set", "lan0", "up");
    }

    private static void throughSplitDriver(
            FabricLink.Kind kind, NetworkNamespace near, NetworkNamespace far, String seconds)
            throws InterruptedException {
        try (FramePort nearTap = near.call(() -> TapPort.open("lan0"));
                FramePort farTap = far.call(() -> TapPort.open("lan0"));
                FabricLink link = FabricLink.open(kind, AdapterOptions.Run.INLINE);
                UnitDriver unit = UnitDriver.open(link.far(), farTap, UnitOptions.at(link.listenAt()));
                HostDriver host =
                        HostDriver.open(link.near(), nearTap, unit.address(), link.farUdpPort(), HostOptions.DEFAULT)) {
            unit.start();
            host.start();
            await(host);
            measure(near, far, WARM_UP_SECONDS, seconds);
        }
    }

    private static void await(HostDriver host) throws InterruptedException {
        for (int i = 0; host.state() != HostState.UP; i++) {
            if (i == STEPS_MAX) {
                throw new MeasurementException("the host is " + host.state() + ": " + host.failure());
            }
            Thread.sleep(STEP_MS);
        }
    }

    private static void measure(NetworkNamespace near, NetworkNamespace far, String warmUp, String seconds)
            throws InterruptedException {
        near.ip("address", "add", NEAR + "/24", "dev", "lan0");
        far.ip("address", "add", FAR + "/24", "dev", "lan0");
        near.output("ping", "-c", "1", "-w", "10", FAR);
        gigabits(near, far, warmUp);
        double there = gigabits(near, far, seconds);
        double back = gigabits(near, far, seconds, "-R");
        double medianUs = medianUs(near.output("ping", "-i", "0.002", "-c", PINGS, FAR));
        System.out.printf(Locale.ROOT, "%.3f %.3f %.2f%n", there, back, medianUs);
    }

    private static void awaitListening(NetworkNamespace far) throws InterruptedException {
        for (int i = 0; i < STEPS_MAX; i++) {
            // State 0A: a socket that listens.
            if (far.output("cat", "/proc/thread-self/net/tcp").contains(" 0A ")) {
                return;
            }
            Thread.sleep(STEP_MS);
        }
        throw new MeasurementException("iperf3 does not listen");
    }

    /** Each measurement has a server of its own: one that still ends the last measurement refuses the next one. */
    private static double gigabits(NetworkNamespace near, NetworkNamespace far, String seconds, String... more)
            throws InterruptedException {
        String[] command = {"iperf3", "-c", FAR, "-t", seconds, "-J"};
        String[] all = Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, all, command.length, more.length);
        Process server = far.start("iperf3", "-s", "-1", "-B", FAR);
        try {
            awaitListening(far);
            return Iperf3.bandwidthOf(near.output(all)) * 8 / 1000;
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** The median of the times that ping prints. */
    static double medianUs(String printed) {
        Matcher time = TIME.matcher(printed);
        double[] times = time.results()
                .mapToDouble(one -> Double.parseDouble(one.group(1)))
                .sorted()
                .toArray();
        if (times.length == 0) {
            throw new MeasurementException("times expected; found " + Program.Running.shortened(printed));
        }
        return times[times.length / 2] * 1000;
    }
}
