package org.verbena.link.process;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.Sleeper;
import org.verbena.link.support.Locals;
import org.verbena.link.support.MemoryLink;
import org.verbena.link.support.Misuse;

/** One link of an {@link InProcessNetwork}: its own ring to receive from, and paths into the rings of others. */
final class InProcessLink extends MemoryLink {
    private static final int BYTES_PER_SLOT = 256;

    /** A receiver does not tell a sender that its full ring has room again: the sender looks after this time. */
    private static final long RETRY_NS = 20_000;

    private final InProcessNetwork network;
    private final PacketRing ring;
    private final Packet incoming = new Packet();
    private final Set<Endpoint> groups = new HashSet<>();
    private final ByteBuffer scratchBytes = ByteBuffer.allocateDirect(Packet.LENGTH_MAX);
    private final MemorySegment scratch = MemorySegment.ofBuffer(scratchBytes);
    private InProcessPath[] touched = new InProcessPath[4];
    private int touchedCount;
    private int committed;
    private boolean refused;
    private @Nullable InProcessPath claimed;
    private @Nullable Packet claimedPacket;
    private volatile @Nullable Sleeper sleeper;
    private volatile boolean closed;

    InProcessLink(InProcessNetwork network, List<Endpoint> locals, int ringBytes) {
        super("inprocess", locals);
        this.network = network;
        this.ring = new PacketRing(ringBytes, ringBytes / BYTES_PER_SLOT);
        incoming.in(ring.segment(), ring.bytes()).identificationCertain(true);
    }

    PacketRing ring() {
        return ring;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public LinkPath path(Address to, LinkFlow flow) {
        Endpoint remote = Endpoint.of(to);
        return new InProcessPath(this, network, remote, Locals.toward(remote, flow, locals), flow);
    }

    @Override
    public void join(Address to) {
        Endpoint group = Endpoint.of(to);
        Locals.joining(group, locals);
        if (closed) {
            throw Misuse.closed(this);
        }
        if (!groups.contains(group)) {
            Locals.checkGroups(groups.size());
            groups.add(group);
            network.join(this, group);
        }
    }

    @Override
    public void leave(Address from) {
        Endpoint group = Endpoint.of(from);
        if (groups.remove(group)) {
            network.leave(this, group);
        }
    }

    @Override
    public boolean carriesRaw() {
        return true;
    }

    @Override
    public @Nullable Packet claim(LinkPath path, int length) {
        return claim(path, length, false, false);
    }

    @Override
    public @Nullable Packet claimOrDrop(LinkPath path, int length) {
        return claim(path, length, false, true);
    }

    @Override
    public @Nullable Packet claimRaw(LinkPath path, int length) {
        return claim(path, length, true, true);
    }

    private @Nullable Packet claim(LinkPath path, int length, boolean raw, boolean mayDrop) {
        if (!(path instanceof InProcessPath to) || !to.isOf(this)) {
            throw Misuse.path(path, this);
        }
        if (length < 1 || length > Packet.LENGTH_MAX) {
            throw Misuse.length(length, Packet.LENGTH_MAX);
        }
        if (claimed != null) {
            throw Misuse.claimPending();
        }
        if (closed) {
            throw Misuse.closed(this);
        }
        Packet packet = to.claim(length, raw, scratch, scratchBytes);
        if (packet == null && mayDrop) {
            packet = to.claimForNobody(length, scratch, scratchBytes);
        }
        if (packet == null) {
            counters.onRefused();
            refused = true;
            return null;
        }
        claimed = to;
        claimedPacket = packet;
        return packet;
    }

    @Override
    public void commit(Packet packet) {
        InProcessPath to = takeClaimed(packet);
        if (!to.commit()) {
            counters.onSendDropped(1);
            return;
        }
        counters.onSent(1, packet.length());
        committed++;
        if (!to.touched) {
            touch(to);
        }
    }

    @Override
    public void abandon(Packet packet) {
        takeClaimed(packet).abandon();
    }

    private InProcessPath takeClaimed(Packet packet) {
        InProcessPath to = claimed;
        if (to == null || packet != claimedPacket) {
            throw Misuse.notClaimed();
        }
        claimed = null;
        return to;
    }

    private void touch(InProcessPath to) {
        if (touchedCount == touched.length) {
            touched = Arrays.copyOf(touched, touchedCount * 2);
        }
        touched[touchedCount++] = to;
        to.touched = true;
    }

    @Override
    public int flush() {
        int packets = committed;
        committed = 0;
        for (int i = 0; i < touchedCount; i++) {
            touched[i].rouse();
        }
        touchedCount = 0;
        return packets;
    }

    @Override
    public int receive(PacketHandler handler, int limit) {
        int packets = 0;
        long bytes = 0;
        while (packets < limit && ring.next()) {
            int length = ring.length();
            ring.describe(incoming);
            try {
                handler.onPacket(incoming);
            } finally {
                ring.release();
            }
            packets++;
            bytes += length;
        }
        if (packets > 0) {
            counters.onReceived(packets, bytes);
        }
        return packets;
    }

    @Override
    public void attach(Sleeper with) {
        sleeper = with;
    }

    @Override
    public long sleepMaxNs() {
        if (closed || ring.arrived()) {
            return 0;
        }
        boolean retry = refused;
        refused = false;
        return retry ? RETRY_NS : Long.MAX_VALUE;
    }

    /** Wakes the receiver, if it sleeps. Called by a sender, after its packets are visible. */
    void rouseIfAsleep() {
        // Between the packets and the look at the sleeper, as a receiver attaches one before it looks for packets.
        VarHandle.fullFence();
        Sleeper there = sleeper;
        if (there != null) {
            there.rouse();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            List.copyOf(groups).forEach(this::leave);
            network.remove(this);
            Sleeper there = sleeper;
            if (there != null) {
                there.wakeup();
            }
        }
    }
}
