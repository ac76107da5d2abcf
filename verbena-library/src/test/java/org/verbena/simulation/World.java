package org.verbena.simulation;

import java.util.ArrayList;
import java.util.List;
import org.verbena.exchange.FlatNetwork;
import org.verbena.exchange.SwitchedNetwork;
import org.verbena.exchange.WorldNetwork;
import org.verbena.link.Link;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.AsyncEvent;

/**
 * Adapters on one network in one virtual time. A pass gives each adapter a turn; then time jumps to whatever happens
 * next. Each packet meets the faults once, on the way out.
 */
final class World implements AutoCloseable {
    /** How long a turn takes when there is work for another one at once. */
    private static final long TURN_NS = 400;
    /** No page is kept longer than this when all is done. */
    private static final long LEASES_NS = 1_000_000_000;
    /** Arrivals so close together are taken in one turn. */
    private static final long STEP_NS = 100;

    private final VirtualClock clock = new VirtualClock(1_000_000);
    private final Trace trace = new Trace(clock);
    private final WorldNetwork network;
    private final List<Node> nodes = new ArrayList<>();

    /** A world without switches. */
    World(Seed seed, SimulatedWire wire, LinkFaults faults, int nodeCount) {
        network = new FlatNetwork(clock, wire);
        open(seed, faults, nodeCount);
    }

    /** A world on a fabric of three switches. */
    World(Seed seed, LinkFaults faults, int nodeCount) {
        network = new SwitchedNetwork(clock.nowNs(), seed.fork("switches"), nodeCount);
        open(seed, faults, nodeCount);
    }

    private void open(Seed seed, LinkFaults faults, int nodeCount) {
        for (int i = 0; i < nodeCount; i++) {
            Seed own = seed.fork("node " + i);
            Link lossy = new LossyLink(network.open(), own.fork("faults"), faults, LinkFaults.NONE);
            nodes.add(new Node(i, new TracedLink(lossy, trace), clock, own));
        }
    }

    List<Node> nodes() {
        return nodes;
    }

    Trace trace() {
        return trace;
    }

    long nowNs() {
        return clock.nowNs();
    }

    /** What all adapters counted together. */
    long total(Counter counter) {
        long sum = 0;
        for (Node node : nodes) {
            sum += node.adapter().counters().value(counter);
        }
        return sum;
    }

    /** Page faults of all adapters. */
    long pageFaults() {
        return total(Counter.SEND_PAGE_FAULTS)
                + total(Counter.WRITE_PAGE_FAULTS)
                + total(Counter.ATOMIC_PAGE_FAULTS)
                + total(Counter.RESPONSE_PAGE_FAULTS)
                + total(Counter.GATHER_PAGE_FAULTS)
                + total(Counter.LANDING_PAGE_FAULTS);
    }

    /** Runs until the workload is done. */
    void run(Workload workload) {
        while (!workload.isDone()) {
            for (int i = 0; i < nodes.size(); i++) {
                Overcommit overcommit = nodes.get(i).overcommit();
                if (overcommit != null) {
                    overcommit.work(clock.nowNs());
                }
                nodes.get(i).adapter().work(clock.nowNs());
            }
            workload.work(clock.nowNs());
            if (!workload.isDone()) {
                advance(workload.nextActionNs());
            }
        }
    }

    /** Lets everything arrive that is on its way, and what that makes due be sent. */
    void settle() {
        endFaults();
        for (int quiet = 0; quiet < 3; ) {
            boolean busy = network.isBusy();
            for (Node node : nodes) {
                Overcommit overcommit = node.overcommit();
                busy |= overcommit != null && (overcommit.settle(clock.nowNs()) > 0 || overcommit.isBusy());
                busy |= node.adapter().work(clock.nowNs()) > 0 || node.link().sleepMaxNs() == 0;
            }
            quiet = busy ? 0 : quiet + 1;
            clock.advanceTo(network.pass(clock.nowNs() + TURN_NS, clock.nowNs() + TURN_NS));
        }
    }

    /** All waits for pages are over, and all pages are released; unused leases end by their time. */
    private void endFaults() {
        long endNs = clock.nowNs() + LEASES_NS;
        while (nodes.stream()
                .anyMatch(node -> node.adapter().faultsOpen() + node.adapter().landingsHeld() > 0)) {
            for (Node node : nodes) {
                Overcommit overcommit = node.overcommit();
                if (overcommit != null) {
                    overcommit.work(clock.nowNs());
                }
                node.adapter().work(clock.nowNs());
            }
            if (clock.nowNs() > endNs) {
                throw new AssertionError("all is done, but faults are open or landings held");
            }
            advance(endNs + 1);
        }
    }

    /** On to the next event, but never beyond one. */
    private void advance(long actionNs) {
        long nowNs = clock.nowNs();
        long next = actionNs;
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            long deadlineNs = node.adapter().nextDeadlineNs();
            if (deadlineNs == Long.MIN_VALUE || node.link().sleepMaxNs() == 0) {
                deadlineNs = nowNs + TURN_NS;
            }
            next = Math.min(next, deadlineNs);
            Overcommit overcommit = node.overcommit();
            if (overcommit != null) {
                next = Math.min(next, overcommit.nextNs());
            }
        }
        long earliestNs = nowNs + STEP_NS;
        long reachedNs = network.pass(earliestNs, Math.max(earliestNs, next));
        if (reachedNs == Long.MAX_VALUE) {
            throw new AssertionError("stuck: nothing will ever happen again, and the workload is not done");
        }
        clock.advanceTo(reachedNs);
    }

    /** From now on no store fails. */
    void mend() {
        for (Node node : nodes) {
            Overcommit overcommit = node.overcommit();
            if (overcommit != null) {
                overcommit.mend();
            }
        }
    }

    /** The time, and the events and counters of every node: for the search of an error. */
    String describe() {
        var text = new StringBuilder("at " + clock.nowNs() + " ns:");
        for (Node node : nodes) {
            text.append("\nnode ").append(node.index());
            for (AsyncEvent e = node.adapter().events().poll();
                    e != null;
                    e = node.adapter().events().poll()) {
                text.append(", ").append(e.kind()).append(" of ").append(e.source());
            }
            text.append(": ").append(node.adapter().counters().snapshot());
            text.append("\n  faults ").append(node.adapter().faultsOpen());
            text.append(", landings ").append(node.adapter().landingsHeld());
            text.append("; ").append(node.overcommit());
        }
        return text.toString();
    }

    /** Packets that have gone from an adapter to a switch; 0 if there is none. */
    long switched() {
        return network.switched();
    }

    /** Ends all adapters and frees their memory, which can still be counted. */
    void shutDown() {
        nodes.forEach(Node::close);
    }

    /** After {@link #shutDown}: counts what the network keeps account of. */
    void audit() {
        network.audit();
    }

    @Override
    public void close() {
        shutDown();
        nodes.forEach(Node::closeMachine);
        network.close();
    }
}
