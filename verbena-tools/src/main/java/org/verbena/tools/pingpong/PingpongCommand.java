package org.verbena.tools.pingpong;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.tools.console.HelpOption;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;
import org.verbena.tools.link.LinkOptions;
import org.verbena.tools.link.LinkSetting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbena pingpong}: reads the options, opens the link, prints the result. */
@Command(
        name = "pingpong",
        description = {
            "Send a message back and forth; the other end may be ibv_rc_pingpong, ibv_uc_pingpong or ibv_ud_pingpong.",
            "",
            "Without HOST it serves one client and ends. With HOST it is that client. Both ends must be told the same"
                    + " service, size, number of exchanges and MTU.",
            ""
        },
        customSynopsis = "verbena pingpong rc|uc|ud [HOST] [OPTION]...",
        sortOptions = false,
        footer = {
            "",
            "A kernel's end needs '-g INDEX' of a RoCE v2 GID ('ibv_devinfo -v' lists them). Its packets come to UDP port"
                    + " 4791 whatever port this end uses.",
            "",
            "Examples:",
            "  verbena pingpong rc                             serves; then, on a machine with rdma_rxe:",
            "  ibv_rc_pingpong -g 1 server.example",
            "  verbena pingpong rc -s 65536 -m 4096 -e -c server.example",
            "",
            "Exit codes: 0 all messages came and are right, 1 failure, 2 not understood."
        })
public final class PingpongCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SERVICE", description = "One of ${COMPLETION-CANDIDATES}.")
    private PingpongService service = PingpongService.RC;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "Where a server waits.")
    private @Nullable String host;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "N",
            description = "TCP port where addresses are exchanged. Default: 18515; 0 serves at any free one.")
    private int port = AddressExchange.PORT;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            description = "Bytes of a message. Default: 4096; for ud 2048.")
    private @Nullable Integer size;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description = "Path MTU, 256 to 4096. Default: 1024.")
    private int mtu = 1024;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Exchanges. Default: 1000.")
    private int rounds = 1000;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            description = "Receives posted at a time. Default: 500.")
    private int receives = 500;

    @Option(
            names = {"-l", "--sl"},
            paramLabel = "N",
            description = "Service level, 0 to 15. Default: 0.")
    private int serviceLevel;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until something comes, instead of polling.")
    private boolean events;

    @Option(
            names = {"-c", "--chk"},
            description =
                    "Check received messages: a client every byte, a server the bytes that a client with -c writes.")
    private boolean check;

    @Option(
            names = {"-a", "--bind"},
            paramLabel = "ADDR",
            description = "Address of this machine to use. Default: the one by which the other end is reached.")
    private @Nullable InetAddress bind;

    @Option(names = "--udp-port", paramLabel = "N", description = "UDP port to use. Default: 4791, RoCEv2's.")
    private int udpPort = Endpoint.ROCE_PORT;

    @Option(
            names = {"-g", "--gid-idx", "-d", "--ib-dev", "-i", "--ib-port"},
            paramLabel = "X",
            description = "Accepted for compatibility, without effect: --bind chooses the address of the GID.")
    @SuppressWarnings("UnusedVariable") // picocli takes it
    private java.util.List<String> ofOriginals = java.util.List.of();

    @Mixin
    private LinkOptions link;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    private final StopSign stop = new StopSign();

    @Override
    public Integer call() throws InterruptedException {
        PingpongPlan plan = understood(this::plan);
        LinkSetting setting = understood(link::setting);
        try (Interruption _ = new Interruption(stop)) {
            return host == null ? serve(plan, setting) : ask(host, plan, setting);
        }
    }

    private PingpongPlan plan() {
        PingpongPlan.require("--port", port, 0, 0xffff);
        PingpongPlan.require("--udp-port", udpPort, 0, 0xffff);
        if (bind != null && bind.isAnyLocalAddress()) {
            throw new IllegalArgumentException("--bind " + bind.getHostAddress()
                    + " found, an address of this machine expected: the CRC of every packet covers it");
        }
        Mtu path = Mtu.atMost(mtu);
        if (path == null || path.bytes() != mtu) {
            throw new IllegalArgumentException("--mtu " + mtu + " found, 256, 512, 1024, 2048 or 4096 expected");
        }
        int bytes = size == null ? service.size() : size;
        return new PingpongPlan(service, bytes, path, rounds, receives, serviceLevel, events, check);
    }

    private int serve(PingpongPlan plan, LinkSetting setting) throws InterruptedException {
        ServerSocket listener = AddressExchange.listen(port);
        complain("serving " + service + " on port " + listener.getLocalPort());
        try (AddressExchange exchange = AddressExchange.accept(listener, stop);
                PingpongEnd end = new PingpongEnd(open(exchange, setting), plan, true)) {
            PingpongRun run = begin(end, plan, false, setting);
            PingpongAddress peer = exchange.receive();
            end.connect(peer);
            exchange.send(end.address());
            exchange.awaitDone();
            say("  remote address: " + peer);
            return finish(run, setting);
        }
    }

    private int ask(String server, PingpongPlan plan, LinkSetting setting) throws InterruptedException {
        try (AddressExchange exchange = AddressExchange.connect(server, port, stop);
                PingpongEnd end = new PingpongEnd(open(exchange, setting), plan, false)) {
            PingpongRun run = begin(end, plan, true, setting);
            exchange.send(end.address());
            PingpongAddress peer = exchange.receive();
            exchange.sayDone();
            say("  remote address: " + peer);
            end.connect(peer);
            return finish(run, setting);
        }
    }

    private Link open(AddressExchange exchange, LinkSetting setting) {
        InetAddress local = bind == null ? exchange.localAddress() : bind;
        return setting.around(LinkSetting.udp(local, udpPort, true));
    }

    private PingpongRun begin(PingpongEnd end, PingpongPlan plan, boolean client, LinkSetting setting) {
        say("  local address:  " + end.address());
        PingpongRun run = new PingpongRun(end, plan, client, setting.loss() > 0, stop);
        run.prepare();
        return run;
    }

    private int finish(PingpongRun run, LinkSetting setting) throws InterruptedException {
        run.run();
        say(run.report());
        setting.linger();
        String wrong = run.wrong();
        if (wrong != null) {
            throw new ToolException(wrong);
        }
        return 0;
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private void complain(String line) {
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
