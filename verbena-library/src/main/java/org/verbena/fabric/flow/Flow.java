package org.verbena.fabric.flow;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.agent.Cabling;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.NodeHardware;
import org.verbena.manage.agent.TrapSender;
import org.verbena.time.Seed;

/**
 * The data path of a fabric: all nodes, and what happens among them, event by event. Time is in picoseconds since the fabric was made.
 *
 * <p>One thread calls everything.
 */
public final class Flow implements NodeHardware {
    static final long PS_PER_NS = 1000;
    static final long PS_PER_SECOND = 1_000_000_000_000L;
    /** Light in a fibre or a cable: 5 ns for a metre. */
    static final long PS_PER_CM = 50;
    /** A time that is never reached. */
    static final long NEVER_NS = Long.MAX_VALUE / PS_PER_NS;
    /** How long a lane waits for credits before the search for a deadlock begins. */
    static final long BLOCKED_CHECK_PS = 100_000 * PS_PER_NS;

    /** Time between regular flow control packets: 65,536 symbols of the slowest lane. */
    static final long REFRESH_PS = 65_536L * 4_000;

    final EventQueue events = new EventQueue();
    private final Arena arena = Arena.ofShared();
    private final ParcelStore shortParcels = new ParcelStore(arena, Parcel.SHORT_ROOM);
    private final ParcelStore longParcels = new ParcelStore(arena, Parcel.ROOM);
    final ParcelCache parcels = newCache();
    final TrapSender traps = new TrapSender();
    final Management management;
    final Routing routing;
    final Deadlocks deadlocks;
    final Directory directory;
    final int bufferBytes;
    final long switchDelayPs;
    final boolean storeAndForward;

    /** Blocks that wait on a lane before packets are marked; 0: none is marked. */
    final int congestion;

    long nowPs;
    /** Packets sent by ports. */
    long hops;
    /** Packets that reached a port without a consumer. */
    long sunk;
    /** Whether a packet was given to a host since this was cleared. */
    boolean delivered;

    private final NodeFlow[] nodes;
    private final List<HostPort> hosts = new ArrayList<>();
    private @Nullable CreditNote idleNotes;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Runnable workCall;
    private final TrapTimer trapTimer = new TrapTimer(this);

    /**
     * The data path of these nodes, whose cables are connected.
     *
     * @param lengthCm length of the cable at a port
     */
    public Flow(
            List<ManagedNode> managed,
            ToIntFunction<ManagedPort> lengthCm,
            int bufferBytes,
            int switchDelayNs,
            boolean storeAndForward,
            int congestionBytes) {
        this.congestion = congestionBytes / Parcel.BLOCK;
        this.bufferBytes = bufferBytes;
        this.switchDelayPs = switchDelayNs * PS_PER_NS;
        this.storeAndForward = storeAndForward;
        this.nodes = new NodeFlow[managed.size()];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new NodeFlow(this, managed.get(i));
            managed.get(i).hardware(this);
            managed.get(i).traps(traps);
        }
        this.directory = new Directory(nodes);
        this.management = new Management(this);
        this.routing = new Routing(this);
        this.deadlocks = new Deadlocks(this);
        for (NodeFlow node : nodes) {
            for (PortFlow port : node.ports) {
                ManagedPort peer = port.port.peer();
                if (peer != null) {
                    port.connect(directory.flowOf(peer), lengthCm.applyAsInt(port.port));
                }
                port.onSettings();
            }
        }
        directory.findSubnets();
    }

    // --- time

    /** The time of the next event, in ns and rounded up; {@link Long#MAX_VALUE} if there is none. */
    public long nextEventNs() {
        long firstPs = events.firstPs();
        return firstPs == Long.MAX_VALUE ? firstPs : Math.ceilDiv(firstPs, PS_PER_NS);
    }

    /** The present, in ns. */
    public long nowNs() {
        return nowPs / PS_PER_NS;
    }

    /** Takes what links have handed over, and lets all events happen up to a time. With {@code stop} it ends after an event that gives a packet to a link. */
    public void run(long untilNs, boolean stop) {
        long untilPs = untilNs >= NEVER_NS ? Long.MAX_VALUE : untilNs * PS_PER_NS;
        takeFromHosts();
        delivered = false;
        while (!(stop && delivered)) {
            Event event = events.poll(untilPs);
            if (event == null) {
                break;
            }
            if (event.duePs > nowPs) {
                nowPs = event.duePs;
            }
            event.happen();
        }
        if (!(stop && delivered) && untilPs > nowPs && untilPs != Long.MAX_VALUE) {
            nowPs = untilPs;
        }
    }

    /** Real time: it is this late at least. Events that are due happen now, whenever they should have. */
    public void advanceTo(long nowNs) {
        nowPs = Math.max(nowPs, nowNs * PS_PER_NS);
    }

    /** Whether {@link #run} gave a packet to a link. */
    public boolean delivered() {
        return delivered;
    }

    /** Packets that ports have sent. */
    public long hops() {
        return hops;
    }

    /** Runs a command in the next {@link #run}. Any thread. */
    public void execute(Runnable command) {
        commands.add(command);
        Runnable call = workCall;
        if (call != null) {
            call.run();
        }
    }

    private void takeFromHosts() {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        int i = 0;
        while (i < hosts.size()) {
            HostPort host = hosts.get(i);
            host.work();
            // A closed one has left the list: another has its place, and its turn.
            if (i < hosts.size() && hosts.get(i) == host) {
                i++;
            }
        }
    }

    /** Whether a link has something for {@link #run}. */
    public boolean hasWork() {
        if (!commands.isEmpty()) {
            return true;
        }
        for (int i = 0; i < hosts.size(); i++) {
            if (hosts.get(i).hasWork()) {
                return true;
            }
        }
        return false;
    }

    // --- parcels

    /** A packet is lost: its room in the buffer is free, the user that sent a management datagram is told. */
    void drop(Parcel parcel) {
        Parcel original = parcel.original;
        if (original != null) {
            giveBack(parcel);
            onCopyGone(original);
            return;
        }
        parcel.freeBuffer();
        MadFlow origin = parcel.origin;
        if (origin != null) {
            parcel.origin = null;
            origin.onLost(parcel);
        }
        giveBack(parcel);
    }

    /** A copy has left, or was discarded: with the last one the original goes. */
    void onCopyGone(Parcel original) {
        if (--original.copies == 0) {
            original.freeBuffer();
            giveBack(original);
        }
    }

    /** A packet has come to a port whose node has no use for it. */
    void sink(Parcel parcel) {
        sunk++;
        parcel.freeBuffer();
        MadFlow origin = parcel.origin;
        if (origin != null) {
            parcel.origin = null;
            origin.onLost(parcel);
        }
        giveBack(parcel);
    }

    void giveBack(Parcel parcel) {
        parcel.origin = null;
        parcel.port = null;
        parcel.original = null;
        parcels.giveBack(parcel);
    }

    /** Parcels for one thread. */
    ParcelCache newCache() {
        return new ParcelCache(shortParcels, longParcels);
    }

    CreditNote takeNote() {
        CreditNote note = idleNotes;
        if (note == null) {
            return new CreditNote(this);
        }
        idleNotes = note.next;
        note.next = null;
        return note;
    }

    void giveBack(CreditNote note) {
        note.next = idleNotes;
        idleNotes = note;
    }

    /** A packet between two ports is lost: the next regular flow control packets put the counts right. */
    void refreshLater(PortFlow port) {
        if (!port.refresh.isDue()) {
            events.add(port.refresh, nowPs + REFRESH_PS);
        }
    }

    /** Tells the receiver of a packet that it met congestion: FECN. */
    void mark(Parcel parcel) {
        // A damaged packet keeps its wrong check sum.
        if (!parcel.bad && !parcel.touched && parcel.hasTransport()) {
            Fecn.set(parcel);
        }
    }

    // --- ports

    /** Whether a link is open at an end node's port. */
    public boolean isOpen(ManagedPort port) {
        PortFlow at = directory.flowOf(port);
        if (at.host != null) {
            at.host.work(); // its link may have been closed
        }
        return at.host != null;
    }

    /** The port for a link at an end node's port, where none is open. */
    public HostPort open(ManagedPort port) {
        PortFlow at = directory.flowOf(port);
        HostPort host = new HostPort(this, at);
        at.host = host;
        host.onFlushed(workCall);
        hosts.add(host);
        return host;
    }

    void close(HostPort host) {
        hosts.remove(host);
    }

    /** Connects two ports by a cable of this length. */
    public void plug(ManagedPort port, ManagedPort other, int lengthCm) {
        PortFlow one = directory.flowOf(port);
        PortFlow two = directory.flowOf(other);
        one.connect(two, lengthCm);
        two.connect(one, lengthCm);
        directory.findSubnets();
        Cabling.plug(port, other, nowNs());
        trapTimer.arm();
    }

    /** Pulls the cable of a port, at both ends. Does nothing if it has none. */
    public void unplug(ManagedPort port) {
        PortFlow one = directory.flowOf(port);
        PortFlow two = one.peer;
        if (two != null) {
            Cabling.unplug(port, nowNs());
            one.disconnect();
            two.disconnect();
            directory.findSubnets();
            trapTimer.arm();
        }
    }

    /** The link of a port goes down and comes up again at once. Does nothing if it is down. */
    public void flap(ManagedPort port) {
        Cabling.flap(port, nowNs());
        trapTimer.arm();
    }

    /** A port for management datagrams. */
    public MadPort attach(ManagedPort port, MadReceiver receiver) {
        return management.attach(directory.flowOf(port), receiver);
    }

    /** Told of each deadlock that is found; null: none. */
    public void onDeadlock(@Nullable DeadlockListener listener) {
        deadlocks.listener(listener);
    }

    /** Called by any thread when a link has handed something over. */
    public void onWork(@Nullable Runnable call) {
        workCall = call;
        hosts.forEach(host -> host.onFlushed(call));
    }

    // --- faults

    /** Faults of a cable in the direction out of a port, with these probabilities; both 0: none. */
    public void faults(ManagedPort port, Seed seed, double loss, double bitErrors) {
        directory.flowOf(port).faults = loss > 0 || bitErrors > 0 ? new CableFaults(seed, loss, bitErrors) : null;
    }

    /** A port gives its peer no more credits for a lane, or gives them again. */
    public void starve(ManagedPort port, int lane, boolean starved) {
        directory.flowOf(port).starve(lane, starved);
    }

    /** The link of a port gets a packet at most every so many nanoseconds; 0: at once, {@link Long#MAX_VALUE}: none. */
    public void slow(ManagedPort port, long intervalNs) {
        directory.flowOf(port).slow(intervalNs);
    }

    /** Sees the packets of a port; null: no more. False if another does. */
    public boolean tap(ManagedPort port, @Nullable ParcelTap tap) {
        PortFlow at = directory.flowOf(port);
        if (tap != null && at.tap != null) {
            return false;
        }
        at.tap = tap;
        return true;
    }

    /** Lanes whose credits are not right, in words. For a time without packets under way. */
    public List<String> auditCredits() {
        List<String> wrong = new ArrayList<>();
        for (NodeFlow node : nodes) {
            for (PortFlow port : node.ports) {
                CreditAudit.audit(port, wrong);
            }
        }
        return wrong;
    }

    // --- what agents tell

    @Override
    public void onPortState(ManagedPort port) {
        PortFlow flow = directory.flowOf(port);
        if (port.physicalState() != PhysicalState.LINK_UP) {
            flow.onLinkDown();
            flow.wasUp = false;
        } else if (!flow.wasUp) {
            flow.wasUp = true;
            PortFlow peer = flow.peer;
            if (peer != null && peer.wasUp) {
                flow.onLinkUp(peer);
            }
        }
        onPortSettings(port);
    }

    @Override
    public void onPortSettings(ManagedPort port) {
        trapTimer.arm();
        PortFlow flow = directory.flowOf(port);
        if (port.number() == 0) {
            flow.node.onSettings();
        }
        flow.onSettings();
        directory.onLid(flow);
        directory.onGuids(flow);
    }

    @Override
    public void onTrap(ManagedPort from, byte[] notice) {
        management.sendTrap(from, notice);
        trapTimer.arm();
    }

    @Override
    public void onReregister(ManagedPort port) {
        HostPort host = directory.flowOf(port).host;
        if (host != null) {
            host.onReregister();
        }
    }

    /** Frees the memory of all parcels. */
    public void close() {
        arena.close();
    }
}
