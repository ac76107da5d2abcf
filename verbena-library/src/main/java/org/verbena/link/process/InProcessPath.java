package org.verbena.link.process;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.support.SourcePorts;

/** The way from one link of an {@link InProcessNetwork} to another, which may not be there yet or no more. Its sender's thread only. */
final class InProcessPath implements LinkPath {
    private final InProcessLink owner;
    private final InProcessNetwork network;
    private final Endpoint remote;
    private final Endpoint source;
    private final LinkFlow flow;
    private final Packet packet = new Packet();
    /** The members, if the remote endpoint is a group. */
    private final @Nullable InProcessMembers members;

    private @Nullable InProcessLink target;
    private PacketRing.@Nullable Claim claim;
    /** The bytes of the target's ring, in a buffer of this path's own. */
    private ByteBuffer targetBytes = ByteBuffer.allocate(0);
    /** Whether the packet claimed last is in scratch memory though there is a target. */
    private boolean dropping;

    /** Whether something was committed since the owner's last flush. */
    boolean touched;

    InProcessPath(InProcessLink owner, InProcessNetwork network, Endpoint remote, Endpoint local, LinkFlow flow) {
        this.owner = owner;
        this.network = network;
        this.remote = remote;
        this.source = local.withPort(SourcePorts.of(flow));
        this.flow = flow;
        members = remote.address().isMulticastAddress() ? new InProcessMembers(network, remote) : null;
        packet.from(source.high(), source.low(), source.port())
                .to(remote.high(), remote.low(), remote.port())
                .marked(flow.trafficClass(), flow.hopLimit());
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public Endpoint source() {
        return source;
    }

    @Override
    public LinkFlow flow() {
        return flow;
    }

    boolean isOf(InProcessLink link) {
        return owner == link;
    }

    /**
     * Room for a packet: in the target's ring, or in the given scratch memory if there is no target or a group; null if the ring is full.
     */
    @Nullable
    Packet claim(int length, boolean raw, MemorySegment scratch, ByteBuffer scratchBytes) {
        packet.raw(raw);
        if (members != null) {
            return packet.in(scratch, scratchBytes).at(0, length, 0);
        }
        InProcessLink there = target;
        if (there == null || there.isClosed()) {
            there = resolve(scratch, scratchBytes);
        }
        PacketRing.Claim mine = claim;
        if (there == null || mine == null) {
            return packet.at(0, length, 0);
        }
        PacketRing ring = there.ring();
        if (dropping) {
            dropping = false;
            packet.in(ring.segment(), targetBytes);
        }
        return ring.claim(mine, length) ? packet.at(mine.offset(ring), length, 0) : null;
    }

    /** Room for a packet that will be thrown away, in the scratch memory given. */
    Packet claimForNobody(int length, MemorySegment scratch, ByteBuffer scratchBytes) {
        dropping = true;
        return packet.in(scratch, scratchBytes).at(0, length, 0);
    }

    private @Nullable InProcessLink resolve(MemorySegment scratch, ByteBuffer scratchBytes) {
        InProcessLink there = network.at(remote);
        target = there;
        dropping = false;
        if (there == null) {
            claim = null;
            packet.in(scratch, scratchBytes);
        } else {
            claim = new PacketRing.Claim(there.ring());
            targetBytes = there.ring().bytes();
            packet.in(there.ring().segment(), targetBytes);
        }
        return there;
    }

    /** Completes the packet; false if there is no target for it. */
    boolean commit() {
        if (members != null) {
            return members.deliver(packet, owner.counters());
        }
        InProcessLink there = target;
        PacketRing.Claim mine = claim;
        if (there == null || mine == null || dropping) {
            return false;
        }
        there.ring().commit(mine, packet);
        return true;
    }

    void abandon() {
        InProcessLink there = target;
        PacketRing.Claim mine = claim;
        if (there != null && mine != null && !dropping) {
            there.ring().abandon(mine);
        }
    }

    /** Wakes the receiver if it sleeps. */
    void rouse() {
        touched = false;
        InProcessLink there = target;
        if (there != null) {
            there.rouseIfAsleep();
        }
        if (members != null) {
            members.rouse();
        }
    }
}
