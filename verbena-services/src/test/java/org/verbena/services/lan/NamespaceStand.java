package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.frame.FramePort;
import org.verbena.link.frame.TapPort;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.trace.MetricRegistry;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/**
 * A host and a unit in two network namespaces: TAP interface of the host, host driver, RoCEv2 over UDP of the loopback interface, unit driver, TAP interface of the
 * LAN. The kernel behind the LAN's TAP is the only station of the LAN. Both drivers have a thread of their own.
 */
final class NamespaceStand implements AutoCloseable {
    static final String HOST_IPV4 = "10.77.0.1";
    static final String LAN_IPV4 = "10.77.0.2";
    static final String HOST_IPV6 = "fd77::1";
    static final String LAN_IPV6 = "fd77::2";
    static final String TAP = "tap0";
    /** Time to wait for a condition; far more than a loaded machine needs. */
    private static final long LIMIT_NS = 60_000_000_000L;

    private static final String[] PROGRAMS = {"ip", "ping", "iperf3", "curl", "bash"};

    final NetworkNamespace hostSide;
    final NetworkNamespace lanSide;
    final FramePort hostTap;
    final FramePort lanTap;
    final HostDriver host;
    private final MetricRegistry metrics = new MetricRegistry();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Adapter unitAdapter;
    private final UnitOptions unitOptions;
    private UnitDriver unit;

    /** Both with MTU 1,500 and offloads. */
    NamespaceStand() throws Exception {
        this(options -> options, options -> options, link -> link);
    }

    /** @param wrapped makes the link of an adapter from one of UDP */
    NamespaceStand(
            UnaryOperator<HostOptions> hostChange, UnaryOperator<UnitOptions> unitChange, UnaryOperator<Link> wrapped)
            throws Exception {
        for (String program : PROGRAMS) {
            assumeTrue(isInstalled(program), program + " is not installed");
        }
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "no /dev/net/tun");
        try {
            hostSide = keep(new NetworkNamespace());
            lanSide = keep(new NetworkNamespace());
            hostTap = keep(hostSide.call(() -> TapPort.open(TAP)));
            lanTap = keep(lanSide.call(() -> TapPort.open(TAP)));
            HostOptions hostOptions =
                    hostChange.apply(HostOptions.DEFAULT.withRetries(Duration.ofMillis(50), Duration.ofMillis(200)));
            // All stations of a LAN have the same MTU.
            lanTap.mtu(hostOptions.mtu());
            address(hostSide, TAP, HOST_IPV4 + "/24", HOST_IPV6 + "/64");
            address(lanSide, TAP, LAN_IPV4 + "/24", LAN_IPV6 + "/64");
            unitAdapter = keep(adapter("unit", wrapped));
            Adapter hostAdapter = keep(adapter("host", wrapped));
            UnitOptions asked = UnitOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .withHosts(4, 1024, 66)
                    .withMetrics(metrics);
            unit = UnitDriver.open(unitAdapter, lanTap, unitChange.apply(asked));
            unit.start();
            unitOptions = unitChange.apply(
                    UnitOptions.at(unit.address()).withHosts(4, 1024, 66).withMetrics(metrics));
            host = keep(HostDriver.open(
                    hostAdapter, hostTap, unit.address(), unitAdapter.endpoint().port(), hostOptions));
            host.start();
            awaitUp();
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    private static boolean isInstalled(String program) {
        for (String folder : Pattern.compile(":").split(System.getenv().getOrDefault("PATH", ""), -1)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    private <T extends AutoCloseable> T keep(T made) {
        opened.add(made);
        return made;
    }

    private Adapter adapter(String name, UnaryOperator<Link> wrapped) {
        return Adapter.open(
                wrapped.apply(UdpNetwork.open(Endpoint.of("127.0.0.1", 0))),
                AdapterOptions.DEFAULT.withName(name).withMetrics(metrics).withRun(AdapterOptions.Run.INLINE));
    }

    static void address(NetworkNamespace namespace, String networkInterface, String... addresses) throws Exception {
        for (String address : addresses) {
            namespace.ip("address", "add", address, "dev", networkInterface);
        }
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long endNs = System.nanoTime() + LIMIT_NS;
        while (!condition.call()) {
            assertTrue(System.nanoTime() < endNs, () -> "not reached: " + what);
            Thread.sleep(10);
        }
    }

    /** Waits until the host is up and its interface has a carrier. */
    void awaitUp() throws Exception {
        await("host up", () -> host.state() == HostState.UP);
        awaitCarrier(true);
    }

    /** Waits until the kernel says that the host's interface has a carrier, or has none. */
    void awaitCarrier(boolean carrier) throws Exception {
        await(
                "carrier " + carrier,
                () -> hostSide.ip("link", "show", "dev", TAP).contains("NO-CARRIER") != carrier);
    }

    void closeUnit() {
        unit.close();
    }

    /** Opens the unit again, at the same address. */
    void reopenUnit() {
        unit = UnitDriver.open(unitAdapter, lanTap, unitOptions);
        unit.start();
    }

    /** The unit's statistics of the host. */
    long statistic(LanCounter counter) throws Exception {
        Long value = host.statistics().get().get(counter.label());
        assertTrue(value != null, () -> "no statistic " + counter.label());
        return value;
    }

    @Override
    public void close() {
        if (unit != null) {
            unit.close();
        }
        for (AutoCloseable each : opened.reversed()) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("not closed: " + each, e);
            }
        }
    }
}
