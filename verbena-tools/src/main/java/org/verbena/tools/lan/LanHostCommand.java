package org.verbena.tools.lan;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.verbena.link.frame.FramePort;
import org.verbena.services.lan.HostDriver;
import org.verbena.services.lan.HostOptions;
import org.verbena.services.lan.HostState;
import org.verbena.services.lan.MacAddress;
import org.verbena.tools.console.HelpOption;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.link.LinkSetting;
import org.verbena.tools.link.LocalAddress;
import org.verbena.verbs.Adapter;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena lan host}: runs a host's driver until it is interrupted. */
@Command(
        name = "host",
        description = {"Use the network interface of an I/O unit. Prints the unit's statistics in the end.", ""},
        sortOptions = false,
        footer = {
            "",
            "It connects again by itself when the unit is lost; the interface has no carrier meanwhile.",
            "",
            "Example:",
            "  verbena lan host --unit 192.0.2.7:4000 --tap rdma0        an interface of the unit's LAN",
            "",
            "Exit codes: 0 done, 1 failure, 2 not understood."
        })
public final class LanHostCommand implements Callable<Integer> {
    private static final long STATISTICS_SECONDS = 2;

    @Spec
    private CommandSpec spec;

    @Option(names = "--unit", paramLabel = "ADDR:PORT", required = true, description = "Where the unit listens.")
    private String unit = "";

    @ArgGroup(multiplicity = "1")
    private LanPortOptions port = new LanPortOptions();

    @Option(
            names = "--mac",
            paramLabel = "MAC",
            description = "Ethernet address. Default: that of the port, or one of the unit's.")
    private @Nullable String mac;

    @Option(
            names = "--mtu",
            paramLabel = "N",
            description = "MTU, 68 to 9216. Default: 1500; the unit may give a lower one.")
    private int mtu = 1500;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the host, which the unit shows. Default: host.")
    private String name = "host";

    @Option(
            names = "--bind",
            paramLabel = "ADDR",
            description = "Address of this machine to use. Default: the one by which the unit is reached.")
    private @Nullable InetAddress source;

    @Mixin
    private LanWireOptions wire;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    private final StopSign stop = new StopSign();
    private HostState shown = HostState.DOWN;

    @Override
    public Integer call() throws InterruptedException {
        LanPeriods periods;
        LinkSetting setting;
        HostOptions options;
        InetSocketAddress to;
        FramePort os;
        try {
            periods = wire.periods();
            setting = wire.setting();
            to = LanPortOptions.address("--unit", unit, 1);
            options = HostOptions.DEFAULT
                    .withAddress(mac == null ? null : MacAddress.of(mac))
                    .withMtu(mtu)
                    .withName(name)
                    .withOffloads(wire.offloads());
            os = port.open(wire.hasChannels(), mtu);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
        InetAddress local = source == null ? LocalAddress.towards(to.getAddress()) : source;
        try (Interruption _ = new Interruption(stop);
                FramePort opened = os;
                Adapter adapter = wire.open(setting, local, "lan host");
                HostDriver driver = HostDriver.open(adapter, opened, to, wire.udpPort(), options)) {
            driver.start();
            say("host at " + opened.name() + ", unit at " + LanUnitCommand.text(to));
            new LanPeriods(1, periods.durationSeconds()).await(stop, new Ticks(driver, periods.statsSeconds()));
            show(driver);
            print(driver);
            return 0;
        }
    }

    /** Once a second: changes of state, and now and then statistics. */
    private final class Ticks implements Runnable {
        private final HostDriver driver;
        private final int period;
        private int seconds;

        private Ticks(HostDriver driver, int period) {
            this.driver = driver;
            this.period = period;
        }

        @Override
        public void run() {
            show(driver);
            if (period > 0 && ++seconds % period == 0) {
                print(driver);
            }
        }
    }

    private void show(HostDriver driver) {
        HostState state = driver.state();
        if (state == shown) {
            return;
        }
        if (state == HostState.UP) {
            say("up: " + driver.address() + ", MTU " + driver.mtu() + ", unit " + driver.unitName());
        } else if (shown == HostState.UP) {
            say("down: " + driver.failure());
        }
        shown = state;
    }

    private void print(HostDriver driver) {
        if (driver.state() != HostState.UP) {
            say("not up" + (driver.failure().isEmpty() ? "" : ": " + driver.failure()));
            return;
        }
        try {
            Map<String, Long> all = driver.statistics().get(STATISTICS_SECONDS, TimeUnit.SECONDS);
            all.forEach((label, value) -> say("     " + label + ": " + value));
        } catch (ExecutionException | TimeoutException e) {
            say("no statistics: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
