package org.verbena.link;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The way from one link of an {@link InProcessNetwork} to another, which may not be there yet or no more. Its sender's thread only. */
final class InProcessPath implements Path {
    private final InProcessLink owner;
    private final InProcessNetwork network;
    private final Endpoint remote;
    private final Endpoint source;
    private final Flow flow;
    private final long localHigh;
    private final long localLow;
    private final int localPort;
    private final Packet packet = new Packet();
    private @Nullable InProcessLink target;
    private PacketRing.@Nullable Claim claim;

    /** Whether something was committed since the owner's last flush. */
    boolean touched;

    InProcessPath(InProcessLink owner, InProcessNetwork network, Endpoint remote, Endpoint source, Flow flow) {
        this.owner = owner;
        this.network = network;
        this.remote = remote;
        this.source = source;
        this.flow = flow;
        localHigh = source.high();
        localLow = source.low();
        localPort = source.port();
        packet.from(localHigh, localLow, localPort).to(remote.high(), remote.low(), remote.port());
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
    public Flow flow() {
        return flow;
    }

    boolean isOf(InProcessLink link) {
        return owner == link;
    }

    /** Room for a packet, in the target's ring or, if nobody is there, in the scratch memory given; null if the ring is full. */
    @Nullable
    Packet claim(int length, MemorySegment scratch, ByteBuffer scratchBytes) {
        InProcessLink there = target;
        if (there == null || there.isClosed()) {
            there = resolve(scratch, scratchBytes);
        }
        PacketRing.Claim mine = claim;
        if (there == null || mine == null) {
            return packet.at(0, length, 0);
        }
        PacketRing ring = there.ring();
        return ring.claim(mine, length) ? packet.at(mine.offset(ring), length, 0) : null;
    }

    private @Nullable InProcessLink resolve(MemorySegment scratch, ByteBuffer scratchBytes) {
        InProcessLink there = network.at(remote);
        target = there;
        if (there == null) {
            claim = null;
            packet.in(scratch, scratchBytes);
        } else {
            claim = new PacketRing.Claim(there.ring());
            packet.in(there.ring().segment(), there.ring().bytes());
        }
        return there;
    }

    /** The packet is complete; false if there was nobody to give it to. */
    boolean commit() {
        InProcessLink there = target;
        PacketRing.Claim mine = claim;
        if (there == null || mine == null) {
            return false;
        }
        there.ring().commit(mine, localHigh, localLow, localPort);
        return true;
    }

    void abandon() {
        InProcessLink there = target;
        PacketRing.Claim mine = claim;
        if (there != null && mine != null) {
            there.ring().abandon(mine);
        }
    }

    /** Rouses the target if it sleeps. */
    void rouse() {
        touched = false;
        InProcessLink there = target;
        if (there != null) {
            there.rouseIfAsleep();
        }
    }
}
