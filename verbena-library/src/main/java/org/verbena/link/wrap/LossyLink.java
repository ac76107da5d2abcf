package org.verbena.link.wrap;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.time.Seed;

/**
 * Drops, doubles, delays and damages the packets of another link, as bad networks do, decided by a seed. The same seed and the
 * same packets give the same faults.
 *
 * <p>Outbound, a packet that leaves late or twice leaves with the IPv4 identification of its new place, not the one its CRC was made
 * with: over UDP with segmentation offload use inbound faults, or switch segmentation off.
 */
public final class LossyLink extends ForwardingLink {
    private final FaultDice out;
    private final FaultDice in;
    private final HeldPackets heldOut = new HeldPackets();
    private final HeldPackets heldIn = new HeldPackets();
    private final PacketHandler arrivals = this::onArrival;
    private PacketHandler handler = packet -> {};
    private @Nullable LinkPath claimedPath;
    private boolean quiet;
    private int allowed;
    private int delivered;

    /** Wraps a link, which is closed with this one. */
    public LossyLink(Link inner, Seed seed, LinkFaults outbound, LinkFaults inbound) {
        super(inner);
        this.out = new FaultDice(seed.fork("outbound"), outbound);
        this.in = new FaultDice(seed.fork("inbound"), inbound);
    }

    @Override
    public String name() {
        return "lossy " + inner.name();
    }

    /** The inner link's: packets dropped outbound were not sent, packets dropped inbound were received. */
    @Override
    public LinkCounters counters() {
        return super.counters();
    }

    /** Packets dropped so far, both directions. Read by the thread that drives the link, as the next three. */
    public long dropped() {
        return out.dropped() + in.dropped();
    }

    public long duplicated() {
        return out.duplicated() + in.duplicated();
    }

    public long reordered() {
        return out.reordered() + in.reordered();
    }

    public long corrupted() {
        return out.corrupted() + in.corrupted();
    }

    @Override
    public @Nullable Packet claim(LinkPath path, int length) {
        Packet packet = inner.claim(path, length);
        claimedPath = path;
        return packet;
    }

    @Override
    public @Nullable Packet claimOrDrop(LinkPath path, int length) {
        Packet packet = inner.claimOrDrop(path, length);
        claimedPath = path;
        return packet;
    }

    @Override
    public @Nullable Packet claimRaw(LinkPath path, int length) {
        Packet packet = inner.claimRaw(path, length);
        claimedPath = path;
        return packet;
    }

    @Override
    public void commit(Packet packet) {
        quiet = false;
        if (out.drops()) {
            inner.abandon(packet);
            return;
        }
        out.maybeCorrupt(packet);
        if (!heldOut.isFull() && out.duplicates()) {
            heldOut.hold(packet, claimedPath, out.wait(0));
        }
        if (!heldOut.isFull() && out.reorders()) {
            heldOut.hold(packet, claimedPath, out.wait(1));
            inner.abandon(packet);
            return;
        }
        inner.commit(packet);
        if (!heldOut.isEmpty()) {
            heldOut.age();
            sendDue();
        }
    }

    /** Lets held packets leave that are due, as far as there is room. */
    private void sendDue() {
        for (int index = heldOut.due(); index >= 0 && sendHeld(index); index = heldOut.due()) {
            heldOut.remove(index);
        }
    }

    private boolean sendHeld(int index) {
        Packet held = heldOut.packet(index);
        LinkPath path = heldOut.path(index);
        if (path == null) {
            return false;
        }
        int length = held.length();
        Packet packet = held.raw() ? inner.claimRaw(path, length) : inner.claim(path, length);
        if (packet == null) {
            return false;
        }
        MemorySegment.copy(held.segment(), held.offset(), packet.segment(), packet.offset(), length);
        inner.commit(packet);
        return true;
    }

    /** Two flushes without a packet between them: no packet will overtake the held ones, so they leave. */
    @Override
    public int flush() {
        if (!heldOut.isEmpty()) {
            if (quiet) {
                heldOut.hurry();
            }
            sendDue();
        }
        quiet = true;
        return inner.flush();
    }

    @Override
    public int receive(PacketHandler target, int limit) {
        handler = target;
        allowed = limit;
        delivered = 0;
        deliverDue();
        int early = delivered;
        allowed = early;
        int received = early < limit ? inner.receive(arrivals, limit - early) : 0;
        if (received == 0 && early == 0 && !heldIn.isEmpty()) {
            // No packet comes that could overtake the held ones.
            heldIn.hurry();
            allowed = limit;
            deliverDue();
        }
        return delivered;
    }

    private void onArrival(Packet packet) {
        allowed++;
        if (in.drops()) {
            return;
        }
        in.maybeCorrupt(packet);
        if (!heldIn.isFull() && in.duplicates()) {
            heldIn.hold(packet, null, in.wait(0));
        }
        if (!heldIn.isFull() && in.reorders()) {
            heldIn.hold(packet, null, in.wait(1));
            return;
        }
        delivered++;
        handler.onPacket(packet);
        if (!heldIn.isEmpty()) {
            heldIn.age();
            deliverDue();
        }
    }

    /** Delivers held packets that are due, as far as those not delivered have left room within the limit. */
    private void deliverDue() {
        for (int index = heldIn.due(); index >= 0 && delivered < allowed; index = heldIn.due()) {
            Packet packet = heldIn.packet(index);
            heldIn.remove(index);
            delivered++;
            handler.onPacket(packet);
        }
    }

    @Override
    public long sleepMaxNs() {
        return heldIn.isEmpty() && heldOut.isEmpty() ? inner.sleepMaxNs() : 0;
    }
}
