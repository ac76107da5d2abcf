package org.verbena.fabric.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.agent.ManagedPort;

/**
 * The side of an end node's port that a link uses: packets to send and packets received, handed over without a copy. One thread, the link's, calls the
 * public methods; the fabric's thread has the other ends.
 */
public final class HostPort {
    /** Packets of one lane that wait to leave. */
    private static final int LANE_MAX = 64;
    /** Packets of all lanes; a power of two. */
    private static final int SEND_MAX = 1024;
    /** Packets that the link has not received or not released; a power of two. */
    private static final int RECEIVE_MAX = 1024;

    private static final int LANES = 16;
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final Flow flow;
    private final PortFlow port;
    // To the fabric: packets to send, packets released. From the fabric: packets received.
    private final Handoff sending = new Handoff(SEND_MAX);
    private final Handoff released = new Handoff(2 * RECEIVE_MAX);
    private final Handoff received = new Handoff(RECEIVE_MAX);
    private final ParcelCache idle;
    /** By lane: packets claimed by the link. The link's thread writes. */
    private final int[] claimed = new int[LANES];
    /** By lane: packets that have left. The fabric's thread writes. */
    private final int[] left = new int[LANES];

    private volatile @Nullable Runnable wake;
    private volatile @Nullable Runnable fabricWake;
    private volatile @Nullable Runnable reregistration;
    private volatile boolean closed;
    /** Packets handed to the link and not released. The fabric's. */
    private int held;
    // Packets that wait until the link has released others. The fabric's.
    private @Nullable Parcel firstWaiting;
    private @Nullable Parcel lastWaiting;
    /** When a slow receiver takes its next packet. */
    private long nextPs;

    private final Wait wait = new Wait();

    /** The time at which a slow receiver takes its next packet. */
    private final class Wait extends Event {
        @Override
        void happen() {
            handOver();
        }
    }

    HostPort(Flow flow, PortFlow port) {
        this.flow = flow;
        this.port = port;
        this.idle = flow.newCache();
    }

    // --- for the link

    /** The registers of the port. Its values change while management works. */
    public ManagedPort port() {
        return port.port;
    }

    /** An empty parcel with room for this many bytes behind the route headers; null if too many of this service level's lane wait to leave. */
    public @Nullable Parcel claim(int serviceLevel, int bodyLength) {
        int lane = Math.min(port.port.laneOf(serviceLevel, 0), LANES - 1);
        if (claimed[lane] - (int) COUNTS.getAcquire(left, lane) >= LANE_MAX) {
            return null;
        }
        claimed[lane]++;
        Parcel parcel = idle.take(bodyLength);
        parcel.hostLane = lane;
        return parcel;
    }

    /** The parcel has its shape, and all bytes but the variant CRC are written. It leaves in its turn. */
    public void commit(Parcel parcel) {
        if (!sending.offer(parcel)) {
            abandon(parcel);
        }
    }

    /** Gives up a claimed parcel. */
    public void abandon(Parcel parcel) {
        claimed[parcel.hostLane]--;
        parcel.hostLane = -1;
        idle.giveBack(parcel);
    }

    /** Makes the fabric look at the parcels that were committed and released. */
    public void flush() {
        Runnable fabric = fabricWake;
        if (fabric != null && hasWork()) {
            // What was handed over is visible before the fabric's thread is seen asleep.
            VarHandle.fullFence();
            fabric.run();
        }
    }

    /** The next parcel received, its variant CRC checked; null if there is none. {@link #release} gives it back. */
    public @Nullable Parcel receive() {
        return received.poll();
    }

    /** Whether {@link #receive} would return a parcel. */
    public boolean hasReceived() {
        return !received.isEmpty();
    }

    /** A parcel of {@link #receive} is no longer used; its room in the port's buffer is free. */
    public void release(Parcel parcel) {
        if (!released.offer(parcel)) {
            throw new IllegalStateException("more parcels released than received");
        }
    }

    /** Called by the fabric's thread when a parcel was received; null: no call. */
    public void onReceived(@Nullable Runnable call) {
        wake = call;
    }

    /** Called by the link's thread in {@link #flush} when there is something for the fabric; null: no call. */
    public void onFlushed(@Nullable Runnable call) {
        fabricWake = call;
    }

    /** Called by the fabric's thread when management wants hosts to register and join again; null: no call. */
    public void onReregistration(@Nullable Runnable call) {
        reregistration = call;
    }

    /** Runs a command on the fabric's thread, soon. Any thread. */
    public void execute(Runnable command) {
        flow.execute(command);
    }

    /** A port for management datagrams of the link's own. On the fabric's thread. */
    public MadPort attach(MadReceiver receiver) {
        return flow.attach(port.port, receiver);
    }

    /** The time of the fabric. Any thread. */
    public long nowNs() {
        return flow.nowNs();
    }

    /** The port of the same fabric that owns a local identifier in this port's subnet; null if there is none. Any thread. */
    public @Nullable ManagedPort portOf(int lid) {
        PortFlow found = flow.directory.find(port, lid);
        return found == null ? null : found.port;
    }

    /** The port of the same fabric with this GID; null if there is none. Any thread. */
    public @Nullable ManagedPort portOf(long gidHigh, long gidLow) {
        PortFlow found = flow.directory.find(gidHigh, gidLow);
        return found == null ? null : found.port;
    }

    /** Whether another port is in the subnet of this one. Any thread. */
    public boolean isLocal(ManagedPort other) {
        return flow.directory.flowOf(other).subnet == port.subnet;
    }

    /** The port of a router, in this port's subnet, that leads to a port of another subnet; null if there is none. Any thread. */
    public @Nullable ManagedPort routerToward(ManagedPort other) {
        PortFlow router = flow.directory.routerToward(port, flow.directory.flowOf(other));
        return router == null ? null : router.port;
    }

    /** The link is closed. What it has committed still leaves. */
    public void close() {
        closed = true;
        flush();
    }

    // --- for the fabric

    /** Whether the link has handed something over. */
    boolean hasWork() {
        return closed || !sending.isEmpty() || !released.isEmpty();
    }

    /** Takes what the link has handed over. */
    void work() {
        // Looked at first: what the link handed over before it was closed is in the queues then.
        boolean last = closed;
        for (Parcel parcel = released.poll(); parcel != null; parcel = released.poll()) {
            held--;
            parcel.freeBuffer();
            flow.giveBack(parcel);
        }
        handOver();
        for (Parcel parcel = sending.poll(); parcel != null; parcel = sending.poll()) {
            send(parcel);
        }
        if (last) {
            end();
        }
    }

    private void send(Parcel parcel) {
        parcel.seal();
        if (port.port.owns(parcel.targetLid)) {
            // To itself: the packet turns round within the node.
            onLeft(parcel);
            parcel.local = port;
            flow.events.add(parcel, flow.nowPs + flow.switchDelayPs);
            return;
        }
        int lane = port.port.laneOf(parcel.serviceLevel, 0);
        if (lane >= port.port.lanes()) {
            port.port.counters().transmitDiscards++;
            onLeft(parcel);
            flow.drop(parcel);
        } else {
            port.send(parcel, lane);
        }
    }

    /** A parcel of the link has left the port, or is lost. */
    void onLeft(Parcel parcel) {
        int lane = parcel.hostLane;
        if (lane >= 0) {
            parcel.hostLane = -1;
            COUNTS.setRelease(left, lane, left[lane] + 1);
        }
    }

    /** Management wants hosts to register and join again. */
    void onReregister() {
        Runnable call = reregistration;
        if (call != null) {
            call.run();
        }
    }

    /** A packet for the link came. */
    void onParcel(Parcel parcel) {
        parcel.next = null;
        if (lastWaiting == null) {
            firstWaiting = parcel;
        } else {
            lastWaiting.next = parcel;
        }
        lastWaiting = parcel;
        handOver();
    }

    /** Hands waiting packets to the link as far as it may hold them. */
    private void handOver() {
        boolean some = false;
        while (firstWaiting != null && held < RECEIVE_MAX && mayTake()) {
            Parcel parcel = firstWaiting;
            Parcel next = parcel.next;
            parcel.next = null;
            if (!received.offer(parcel)) {
                parcel.next = next;
                break;
            }
            firstWaiting = next;
            if (next == null) {
                lastWaiting = null;
            }
            held++;
            some = true;
        }
        if (some) {
            rouse();
        }
    }

    /** The link should look at the port: there is a packet, or a way. On the fabric's thread. */
    public void rouse() {
        flow.delivered = true;
        Runnable call = wake;
        if (call != null) {
            call.run();
        }
    }

    /** Whether a slow receiver takes a packet now; if not, it is looked at again when it does. */
    private boolean mayTake() {
        if (port.slowNs == 0) {
            return true;
        }
        if (port.slowNs >= Flow.NEVER_NS) {
            return false;
        }
        if (flow.nowPs >= nextPs) {
            nextPs = flow.nowPs + port.slowNs * Flow.PS_PER_NS;
            return true;
        }
        if (!wait.isDue()) {
            flow.events.add(wait, nextPs);
        }
        return false;
    }

    /** The receiver has become slower or faster. */
    void onSlow() {
        flow.events.remove(wait);
        nextPs = flow.nowPs;
        handOver();
    }

    private void end() {
        port.host = null;
        flow.close(this);
        for (Parcel parcel = received.poll(); parcel != null; parcel = received.poll()) {
            parcel.freeBuffer();
            flow.giveBack(parcel);
        }
        while (firstWaiting != null) {
            Parcel parcel = firstWaiting;
            firstWaiting = parcel.next;
            parcel.next = null;
            parcel.freeBuffer();
            flow.giveBack(parcel);
        }
        lastWaiting = null;
        flow.events.remove(wait);
        idle.clear();
    }
}
