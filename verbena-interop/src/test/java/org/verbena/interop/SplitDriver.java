package org.verbena.interop;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.verbena.link.frame.FramePort;
import org.verbena.services.lan.HostDriver;
import org.verbena.services.lan.HostOptions;
import org.verbena.services.lan.HostState;
import org.verbena.services.lan.MacAddress;
import org.verbena.services.lan.UnitDriver;
import org.verbena.services.lan.UnitOptions;
import org.verbena.trace.MetricRegistry;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** A unit and hosts with threads of their own, each with an adapter on the loopback interface. The ports stay the caller's. */
final class SplitDriver implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final MetricRegistry metrics = new MetricRegistry();
    private final int mtu;
    private final Adapter adapter;
    private final UnitDriver unit;
    private final List<Host> hosts = new ArrayList<>();

    /** A host, which is up. */
    static final class Host implements AutoCloseable {
        private final Adapter adapter;
        private final HostDriver driver;

        private Host(Adapter adapter, HostDriver driver) {
            this.adapter = adapter;
            this.driver = driver;
        }

        /** The unit's statistics of it. */
        Map<String, Long> statistics() throws InterruptedException {
            try {
                return driver.statistics().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError("no statistics; the host is " + driver.state() + ": " + driver.failure(), e);
            }
        }

        @Override
        public void close() {
            driver.close();
            adapter.close();
        }
    }

    /** Starts a unit. */
    SplitDriver(FramePort lan, int mtu) {
        this.mtu = mtu;
        lan.mtu(mtu);
        adapter = openAdapter("unit");
        unit = UnitDriver.open(adapter, lan, UnitOptions.at(HERE).withMetrics(metrics));
        unit.start();
    }

    private Adapter openAdapter(String name) {
        return Adapter.open(HERE, AdapterOptions.DEFAULT.withName(name).withMetrics(metrics));
    }

    /** Starts a host with this address, and waits until it is up. */
    Host addHost(FramePort os, MacAddress address) throws InterruptedException {
        String name = "host" + hosts.size();
        Adapter own = openAdapter(name);
        HostDriver driver = HostDriver.open(
                own,
                os,
                unit.address(),
                adapter.endpoint().port(),
                HostOptions.DEFAULT.withName(name).withAddress(address).withMtu(mtu));
        Host host = new Host(own, driver);
        hosts.add(host);
        driver.start();
        long endNs = System.nanoTime() + LIMIT.toNanos();
        while (driver.state() != HostState.UP) {
            if (System.nanoTime() > endNs) {
                throw new AssertionError(name + " is " + driver.state() + ": " + driver.failure());
            }
            Thread.sleep(10);
        }
        return host;
    }

    @Override
    public void close() {
        hosts.forEach(Host::close);
        unit.close();
        adapter.close();
    }
}
