package org.verbena.tools.fabric;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.FabricOptions;
import org.verbena.fabric.ibsim.IbsimCounters;
import org.verbena.fabric.ibsim.IbsimServer;
import org.verbena.fabric.ibsim.Rehearsal;
import org.verbena.fabric.topology.NetFile;
import org.verbena.link.LinkException;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;

/** Serves a fabric to management tools, with a console, until it is interrupted. */
final class FabricServing {
    private static final long LOOK_MS = 20;

    /** Paths of the traffic are those that the subnet administration gives. */
    private static final FabricOptions OPTIONS = FabricOptions.DEFAULT.withAdministration(true);

    private final PrintWriter out;
    private final StopSign stop;

    FabricServing(PrintWriter out, StopSign stop) {
        this.out = out;
        this.stop = stop;
    }

    /**
     * Serves until the stop sign is raised or the console says {@code quit}.
     *
     * @param port control port of ibsim's protocol; 0: the first that is free
     * @param input lines of the console; their end does not end the service
     */
    void run(NetFile net, int port, boolean traffic, BufferedReader input) throws InterruptedException {
        try (Fabric fabric = Fabric.of(net.topology(), OPTIONS);
                IbsimServer server = open(fabric, port)) {
            Rehearsal.run(Rehearsal.USUAL);
            fabric.start();
            try (FabricTraffic load = new FabricTraffic(fabric)) {
                FabricConsole console = new FabricConsole(fabric, reports(server, load), out);
                console.follow(net);
                say("serving " + fabric.nodes().size() + " nodes at 127.0.0.1:" + server.port()
                        + " (IBSIM_SERVER_NAME=127.0.0.1 IBSIM_SERVER_PORT=" + server.port() + ")");
                if (traffic) {
                    load.start();
                }
                Thread.ofPlatform().daemon(true).name("fabric console").start(() -> read(input, console));
                while (!stop.isRaised()) {
                    Thread.sleep(LOOK_MS);
                }
            }
        }
    }

    private static IbsimServer open(Fabric fabric, int port) {
        try {
            return IbsimServer.open(fabric, port);
        } catch (LinkException e) {
            throw new ToolException("--ibsim " + port + ": " + e.getMessage(), e);
        }
    }

    private void read(BufferedReader input, FabricConsole console) {
        try {
            for (String line = input.readLine(); line != null && !stop.isRaised(); line = input.readLine()) {
                if (!console.follow(line)) {
                    stop.raise();
                }
            }
        } catch (IOException e) {
            say("console: " + e.getMessage());
        }
    }

    private static FabricConsole.Reports reports(IbsimServer server, FabricTraffic load) {
        return new FabricConsole.Reports() {
            @Override
            public List<String> server() {
                return lines(server.clientCount(), server.counters());
            }

            @Override
            public List<String> traffic() {
                return load.lines();
            }
        };
    }

    private static List<String> lines(int clients, IbsimCounters counters) {
        List<String> lines = new ArrayList<>();
        lines.add(clients + " clients at 127.0.0.1");
        lines.add("  connected " + counters.connected() + ", disconnected " + counters.disconnected() + ", vanished "
                + counters.vanished() + ", displaced " + counters.displaced());
        lines.add("  requests " + counters.requests() + ", delivered " + counters.delivered() + ", repeated "
                + counters.repeated() + ", bounced " + counters.bounced());
        lines.add("  control errors " + counters.controlErrors() + ", refused: controls " + counters.refusedControls()
                + ", datagrams " + counters.refusedMads() + ", sources " + counters.refusedSources() + ", clients "
                + counters.refusedClients());
        return lines;
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
