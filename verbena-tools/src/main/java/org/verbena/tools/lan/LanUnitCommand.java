package org.verbena.tools.lan;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.verbena.link.frame.FramePort;
import org.verbena.services.lan.UnitDriver;
import org.verbena.services.lan.UnitOptions;
import org.verbena.tools.console.HelpOption;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.link.LinkSetting;
import org.verbena.trace.MetricRegistry;
import org.verbena.trace.MetricSeries;
import org.verbena.verbs.Adapter;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena lan unit}: runs an I/O unit until it is interrupted. */
@Command(
        name = "unit",
        description = {"Be an I/O unit: connect a LAN with hosts. Prints the statistics of all hosts in the end.", ""},
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  verbena lan unit --listen 192.0.2.7:4000 --tap lan0       a new interface; join it to a bridge with ip link",
            "  verbena lan unit --listen 192.0.2.7:4000 --interface eth1 the network behind eth1",
            "",
            "Exit codes: 0 done, 1 failure, 2 not understood."
        })
public final class LanUnitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--listen",
            paramLabel = "ADDR:PORT",
            required = true,
            description = "Address of this machine, no wildcard, and port where hosts connect.")
    private String listen = "";

    @ArgGroup(multiplicity = "1")
    private LanPortOptions port = new LanPortOptions();

    @Option(
            names = "--mtu",
            paramLabel = "N",
            description = "The largest MTU of a host, 68 to 9216. Default: 9216; the LAN's counts if it is lower.")
    private int mtu = 9216;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the unit, which hosts see. Default: unit.")
    private String name = "unit";

    @Mixin
    private LanWireOptions wire;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    private final StopSign stop = new StopSign();

    @Override
    public Integer call() throws InterruptedException {
        LanPeriods periods;
        LinkSetting setting;
        UnitOptions options;
        FramePort lan = null;
        MetricRegistry metrics = new MetricRegistry();
        try {
            periods = wire.periods();
            setting = wire.setting();
            InetSocketAddress at = LanPortOptions.address("--listen", listen, 0);
            options = UnitOptions.at(at)
                    .withMtu(mtu)
                    .withName(name)
                    .withOffloads(wire.offloads())
                    .withMetrics(metrics);
            lan = port.open(wire.hasChannels(), mtu);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
        try (Interruption _ = new Interruption(stop);
                FramePort opened = lan;
                Adapter adapter = wire.open(setting, options.listen().getAddress(), "lan unit");
                UnitDriver driver = UnitDriver.open(adapter, opened, options)) {
            driver.start();
            say("unit at " + text(driver.address()) + ", LAN at " + opened.name());
            periods.await(stop, () -> print(driver, metrics));
            print(driver, metrics);
            return 0;
        }
    }

    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private void print(UnitDriver driver, MetricRegistry metrics) {
        say(driver.hostCount() + " hosts");
        @Nullable String last = null;
        for (MetricSeries series : metrics.snapshot().series()) {
            if (series.metric().group().equals("lan") && series.value() != 0) {
                String host = series.labelValues().get(1);
                if (!host.equals(last)) {
                    say(host);
                    last = host;
                }
                say("     " + series.metric().name() + ": " + series.value());
            }
        }
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
