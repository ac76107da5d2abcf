package org.verbena.fabric;

import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.fabric.flow.Flow;
import org.verbena.fabric.flow.HostPort;
import org.verbena.fabric.topology.Cable;
import org.verbena.fabric.topology.Topology;
import org.verbena.link.Link;
import org.verbena.link.wrap.CaptureFiles;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;

/**
 * A simulated fabric: nodes with agents, links with lanes and credits, switches and routers.
 *
 * <p>In virtual time the caller drives it by {@link #run}; one thread then makes all calls. In real time its own thread drives it after {@link
 * #start}; other threads then use {@link #call}, and the links of {@link #open}.
 */
public final class Fabric implements AutoCloseable {
    private final Topology topology;
    private final FabricOptions options;
    private final List<ManagedNode> nodes;
    private final Map<String, ManagedNode> byName = new HashMap<>();
    private final Map<String, ManagedNode> byDescription = new HashMap<>();
    private final Flow flow;
    private final GroupDirectory groups = new GroupDirectory();
    private final FabricFaults faults;
    private final List<FabricService> services = new ArrayList<>();
    private @Nullable FabricThread thread;
    private boolean closed;

    private Fabric(Topology topology, FabricOptions options) {
        this.topology = topology;
        this.options = options;
        this.nodes = Commissioning.of(topology, options);
        Map<ManagedPort, Integer> lengths =
                HashMap.newHashMap(2 * topology.cables().size());
        for (Cable cable : topology.cables()) {
            lengths.put(nodes.get(cable.node()).port(cable.port()), cable.lengthCm());
            lengths.put(nodes.get(cable.otherNode()).port(cable.otherPort()), cable.lengthCm());
        }
        for (ManagedNode node : nodes) {
            byName.put(node.name(), node);
            byDescription.putIfAbsent(node.description(), node);
        }
        this.flow = new Flow(
                nodes,
                port -> lengths.getOrDefault(port, Cable.USUAL_CM),
                options.bufferBytes(),
                options.switchDelayNs(),
                options.storeAndForward(),
                options.congestionBytes());
        this.faults = new FabricFaults(flow, options.seed());
    }

    /** A fabric that nothing drives yet. Its cabled ports are in state Init. Ports have the local identifiers of the topology, which usually has none. */
    public static Fabric of(Topology topology, FabricOptions options) {
        return new Fabric(topology, options);
    }

    /** A fabric with the usual options. */
    public static Fabric of(Topology topology) {
        return new Fabric(topology, FabricOptions.DEFAULT);
    }

    /** The topology that it was made from. Cables that are pulled and plugged do not change it. */
    public Topology topology() {
        return topology;
    }

    public FabricOptions options() {
        return options;
    }

    /** All nodes in the order of the topology. */
    public List<ManagedNode> nodes() {
        return nodes;
    }

    /**
     * The node with this name or, if there is none, with this description.
     *
     * @throws FabricException if there is none
     */
    public ManagedNode node(String name) {
        ManagedNode node = byName.getOrDefault(name, byDescription.get(name));
        if (node == null) {
            throw new FabricException(
                    "node \"" + name + "\" found, the name of one of " + nodes.size() + " nodes expected");
        }
        return node;
    }

    /**
     * A port of a node.
     *
     * @throws FabricException if there is none
     */
    public ManagedPort port(String name, int number) {
        ManagedNode node = node(name);
        FabricException.require("port of \"" + name + "\"", number, node.isSwitch() ? 0 : 1, node.portCount());
        return node.port(number);
    }

    /** A port for management datagrams at a port of an end node, or at port 0 of a switch. Several may be attached to one. */
    public MadPort attach(ManagedPort port, MadReceiver receiver) {
        return flow.attach(port, receiver);
    }

    /**
     * Starts a subnet manager at a port of an end node, or at port 0 of a switch. It needs the fabric driven to bring the subnet up.
     *
     * @return the manager; only the thread that drives the fabric uses it
     */
    public SubnetManager manage(ManagedPort port, ManagerOptions managerOptions) {
        SubnetManager manager = new SubnetManager(managerOptions);
        call(() -> manager.start(attach(port, manager), flow.nowNs()));
        return manager;
    }

    /**
     * A link for an adapter at a port of an end node. Its addresses are the GIDs of the port.
     *
     * @throws FabricException if the node or port does not exist, is no end node's, or has an open link
     */
    public Link open(String node, int port) {
        ManagedPort at = port(node, port);
        if (at.node().isSwitch()) {
            throw new FabricException("port " + at + " of a switch found, a port of an end node expected");
        }
        HostPort[] host = new HostPort[1];
        call(() -> {
            if (flow.isOpen(at)) {
                throw new FabricException("second link at port " + at + " found, one expected");
            }
            host[0] = flow.open(at);
        });
        PathResolver resolver =
                options.administration() ? new AdministrationResolver(host[0]) : new DirectoryResolver(host[0], groups);
        return new FabricLink(host[0], resolver, false);
    }

    /** Pulls the cable out of both ports. Does nothing if the port has none. */
    public void unplug(ManagedPort port) {
        flow.unplug(port);
    }

    /**
     * Connects two ports by a cable of the usual length.
     *
     * @throws FabricException if one has a cable
     */
    public void plug(ManagedPort port, ManagedPort other) {
        for (ManagedPort end : List.of(port, other)) {
            if (end.peer() != null) {
                throw new FabricException(
                        "port " + end + " with a cable to " + end.peer() + " found, a free port expected");
            }
        }
        flow.plug(port, other, Cable.USUAL_CM);
    }

    /** The faults of its cables, nodes and receivers. */
    public FabricFaults faults() {
        return faults;
    }

    /**
     * Writes the packets that pass a port into a capture that Wireshark opens, both directions, until the capture is closed. One capture a port.
     *
     * @param channel where it goes; closed with the capture
     * @throws FabricException if the port has a capture
     */
    public FabricCapture capture(ManagedPort port, WritableByteChannel channel) {
        return FabricCapture.open(flow, port, channel);
    }

    /**
     * The same into a file.
     *
     * @throws org.verbena.link.LinkException if the file cannot be written
     */
    public FabricCapture capture(ManagedPort port, Path file) {
        return capture(port, CaptureFiles.open(file));
    }

    /**
     * Counts the credits of all lanes from both ends, while no packet is under way.
     *
     * @return lanes whose ends disagree, or that lost credits, in words; empty if all is well
     */
    public List<String> auditCredits() {
        return flow.auditCredits();
    }

    /** The consumer of each deadlock that is found; null: none. Called on the thread that drives the fabric. */
    public void onDeadlock(@Nullable Consumer<Deadlock> consumer) {
        flow.onDeadlock(
                consumer == null ? null : (nowNs, ports, lanes) -> consumer.accept(Deadlock.of(nowNs, ports, lanes)));
    }

    /** Packets that ports have sent since the fabric was made. */
    public long hops() {
        return flow.hops();
    }

    // --- virtual time

    /** The time of the next event; {@link Long#MAX_VALUE} if there is none, the present if a link has something to send. */
    public long nextEventNs() {
        return flow.hasWork() ? flow.nowNs() : flow.nextEventNs();
    }

    /** The time that {@link #run} has reached. */
    public long nowNs() {
        return flow.nowNs();
    }

    /**
     * Virtual time: lets events happen up to a time, and stops after the first event that gives a packet to an open link.
     *
     * @return the time reached: of that event, or {@code untilNs}
     */
    public long run(long untilNs) {
        flow.run(untilNs, true);
        return flow.nowNs();
    }

    /** Virtual time: lets all events happen up to a time. Links take what they have got afterwards; packets that they have no room for wait in the fabric. */
    public void advance(long untilNs) {
        flow.run(untilNs, false);
    }

    // --- real time

    /** Real time: starts the thread that drives the fabric. */
    public void start() {
        start(NanoClock.system());
    }

    void start(NanoClock clock) {
        FabricThread started = new FabricThread(flow, services, clock);
        thread = started;
        started.start();
    }

    /** Runs a command on the thread that drives the fabric, and returns when it is done; at once before {@link #start}. */
    public void call(Runnable command) {
        FabricThread running = thread;
        if (running == null) {
            command.run();
        } else {
            running.call(command);
        }
    }

    /**
     * Real time: waits until management has made a port active.
     *
     * @return false if it was not active in time
     * @throws FabricException if there is no such port
     * @throws IllegalStateException before {@link #start}
     */
    public boolean awaitActive(String node, int port, Duration timeout) throws InterruptedException {
        ManagedPort at = port(node, port);
        FabricThread running = thread;
        if (running == null) {
            throw new IllegalStateException("the fabric is not started: nothing would change");
        }
        return running.await(() -> at.state() == PortState.ACTIVE && at.lid() != 0, Durations.toNanos(timeout));
    }

    /** Adds a service that the fabric's thread polls, before {@link #start}. */
    public void serve(FabricService service) {
        services.add(service);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            FabricThread running = thread;
            if (running != null) {
                running.close();
            }
            flow.close();
        }
    }
}
