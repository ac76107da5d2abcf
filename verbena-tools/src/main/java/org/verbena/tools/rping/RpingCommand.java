package org.verbena.tools.rping;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.tools.console.HelpOption;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.link.IwarpSetting;
import org.verbena.tools.link.LinkOptions;
import org.verbena.tools.link.LinkSetting;
import org.verbena.tools.link.LocalAddress;
import org.verbena.tools.link.Place;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.IwarpOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena rping}: reads the options, opens the adapter, runs the end that was asked for. */
@Command(
        name = "rping",
        description = {
            "Have ping data read and written back over a connection made by address and port; the other end may be"
                    + " rdma-core's rping.",
            "",
            "A server serves one client and ends, with -P any number until it is interrupted.",
            ""
        },
        customSynopsis = {
            "verbena rping -s -a ADDR [-p PORT] [-S SIZE] [-vP] [OPTION]...",
            "       verbena rping -c -a ADDR [-p PORT] [-S SIZE] [-C COUNT] [-I ADDR] [-vV] [OPTION]..."
        },
        sortOptions = false,
        footer = {
            "",
            "Both ends must be given the same size.",
            "",
            "Examples:",
            "  verbena rping -s -a 192.0.2.7 -v                serves; then, on a machine with rdma_rxe:",
            "  rping -c -a 192.0.2.7 -C 10 -v -V",
            "  verbena rping -s -a 192.0.2.7 --iwarp -v        serves clients of Linux siw, and of iWARP cards",
            "",
            "Exit codes: 0 done, 1 failure, 2 not understood."
        })
public final class RpingCommand implements Callable<Integer> {
    private static final int PORT = 7174;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Role role = new Role();

    /** One of the two. */
    static final class Role {
        @Option(names = "-s", required = true, description = "Serve.")
        private boolean server;

        @Option(names = "-c", required = true, description = "Be the client.")
        private boolean client;
    }

    @Option(
            names = "-a",
            required = true,
            paramLabel = "ADDR",
            description = "Client: where the server is. Server: the address of this machine to serve at, no wildcard.")
    private @Nullable InetAddress address;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            description = "Port, of rdma_cm's TCP port space; with --iwarp a TCP port. Default: 7174.")
    private int port = PORT;

    @Option(names = "-C", paramLabel = "COUNT", description = "Pings of a client. Default: 0, until interrupted.")
    private int count;

    @Option(names = "-S", paramLabel = "SIZE", description = "Bytes of ping data, 27 to 65535. Default: 64.")
    private int size = 64;

    @Option(names = "-v", description = "Print the ping data.")
    private boolean shows;

    @Option(names = "-V", description = "Client: compare the returned data with the sent data.")
    private boolean checks;

    @Option(
            names = "-I",
            paramLabel = "ADDR",
            description = "Client: address of this machine to use. Default: the one by which the server is reached.")
    private @Nullable InetAddress source;

    @Option(names = "-P", description = "Server: serve clients until interrupted, many at a time.")
    private boolean persistent;

    @Option(
            names = "-q",
            description = "Accepted for compatibility, without effect: each connection has its own queue pair.")
    @SuppressWarnings("UnusedVariable") // picocli takes it
    private boolean ownQueuePair;

    @Option(
            names = "--udp-port",
            paramLabel = "N",
            description = "UDP port to use. Default: 4791, RoCEv2's; the other end must use the same.")
    private int udpPort = Endpoint.ROCE_PORT;

    @Option(names = "--iwarp", description = "Speak iWARP over TCP; without it RoCEv2. The other end must do the same.")
    private boolean iwarp;

    @Mixin
    private IwarpSetting iwarpSetting;

    @Mixin
    private LinkOptions link;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    private final StopSign stop = new StopSign();

    @Override
    public Integer call() throws InterruptedException {
        InetAddress to = address;
        assert to != null : "picocli requires it";
        RpingPlan plan = understood(() -> new RpingPlan(count, size, shows, checks));
        LinkSetting setting = understood(link::setting);
        IwarpOptions streams = understood(iwarpSetting::options);
        InetAddress local = understood(() -> local(to));
        Place place = iwarp
                ? Place.of(setting.streams(local))
                : Place.of(setting.around(LinkSetting.udp(local, udpPort, true)));
        try (Interruption _ = new Interruption(stop);
                Adapter adapter = place.open(AdapterOptions.DEFAULT
                        .withName("rping " + local.getHostAddress())
                        .withIwarp(streams))) {
            InetSocketAddress at = new InetSocketAddress(to, port);
            if (role.server) {
                new RpingServer(adapter, plan, stop, this::say, this::complain).run(at, persistent);
            } else {
                new RpingClient(adapter, plan, setting, stop, this::say).run(at);
            }
            return 0;
        }
    }

    private InetAddress local(InetAddress to) {
        if (port < 0 || port > 0xffff || (port == 0 && role.client)) {
            throw new IllegalArgumentException("-p " + port + " found, 1 to 65535 expected");
        }
        if (to.isAnyLocalAddress()) {
            throw new IllegalArgumentException("-a " + to.getHostAddress()
                    + " found, a definite address expected: the CRC of every packet covers it");
        }
        if (role.server) {
            return to;
        }
        return source == null ? LocalAddress.towards(to) : source;
    }

    private synchronized void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private synchronized void complain(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    private <T> T understood(java.util.function.Supplier<T> options) {
        try {
            return options.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
