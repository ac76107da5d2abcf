package org.verbena.fabric.ibsim;

import java.time.Duration;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.topology.Topologies;
import org.verbena.fabric.topology.Topology;
import org.verbena.link.LinkException;
import org.verbena.link.ibsim.IbsimToolSockets;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.time.NanoClock;

/**
 * Serves small fabrics of its own to a subnet manager of its own, one after the other, before the first tool comes. A new virtual machine interprets its code
 * and compiles what it has run often; the sweep of a tool would wait for that. After a rehearsal the code from the sockets through the fabric to the agents
 * is compiled. No other fabric and no other server notices: what is shared is the code.
 */
public final class Rehearsal {
    /** The time after which another rehearsal brings little. */
    public static final Duration USUAL = Duration.ofSeconds(1);

    /** Requests after which all code of a sweep has been compiled. */
    private static final long REQUESTS_MAX = 30_000;

    /** Longest wait for the reply to a connect. */
    private static final int CONNECT_MS = 200;

    /** As many requests on their way as OpenSM has. */
    private static final ManagerOptions OPTIONS = ManagerOptions.DEFAULT.withOutstandingMax(4);

    private final NanoClock clock = NanoClock.system();
    private final long endNs;
    private final long requestsMax;
    private long requests;

    private Rehearsal(Duration most, long requestsMax) {
        this.requestsMax = requestsMax;
        endNs = clock.nowNs() + most.toNanos();
    }

    /**
     * Rehearses until the code is compiled or the time is over. Uses UDP ports of 127.0.0.1 meanwhile. Any thread; returns early if it is interrupted, or if no ports are free.
     *
     * @return requests that were served; 0: there were no ports
     */
    public static long run(Duration most) {
        return run(most, REQUESTS_MAX);
    }

    static long run(Duration most, long requestsMax) {
        Rehearsal rehearsal = new Rehearsal(most, requestsMax);
        Topology topology = Topologies.twoLevelFatTree(4, 2, 8, 2);
        while (rehearsal.goesOn()) {
            long before = rehearsal.requests;
            try {
                rehearsal.sweep(topology);
            } catch (LinkException e) {
                return rehearsal.requests; // No ports: the first tool does without.
            }
            if (rehearsal.requests == before) {
                break;
            }
        }
        return rehearsal.requests;
    }

    private boolean goesOn() {
        return requests < requestsMax
                && clock.nowNs() - endNs < 0
                && !Thread.currentThread().isInterrupted();
    }

    private void sweep(Topology topology) {
        try (Fabric fabric = Fabric.of(topology);
                IbsimServer server = IbsimServer.open(fabric, 0);
                IbsimToolSockets sockets = IbsimToolSockets.open(server.port())) {
            fabric.start();
            RehearsalTool tool =
                    RehearsalTool.connect(sockets, topology.nodes().getFirst().name(), CONNECT_MS);
            if (tool == null) {
                return;
            }
            long before = requests;
            SubnetManager manager = new SubnetManager(OPTIONS);
            manager.start(tool, clock.nowNs());
            while (!manager.isUp() && goesOn()) {
                long nowNs = clock.nowNs();
                tool.work(manager, nowNs);
                if (manager.nextDeadlineNs() <= nowNs) {
                    manager.work(nowNs);
                }
                requests = before + tool.sent();
            }
        }
    }
}
