package org.verbena.fabric;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;

/**
 * Puts a base transport header before bytes of any kind and any length, for tests of the contract of links: a fabric looks at the queue pair and the
 * partition of a packet, and rounds its length up to words. The header's sequence number is the length.
 */
final class FramedLink extends ForwardingLink {
    private static final int QUEUE_PAIR = 77;
    private static final int STEPS_MAX = 200_000;

    private final LinkCounters counters = new LinkCounters();
    private final Packet outbound = new Packet();
    private final Packet inbound = new Packet();
    private final BooleanSupplier onFull;
    private final PacketHandler arrivals = this::onArrival;
    private PacketHandler handler = packet -> {};
    private @Nullable Packet claimed;

    /** @param onFull lets the fabric make room; whether something has happened */
    FramedLink(Link inner, BooleanSupplier onFull) {
        super(inner);
        this.onFull = onFull;
    }

    @Override
    public int packetMax() {
        return inner.packetMax() - Bth.LENGTH;
    }

    @Override
    public @Nullable Packet claim(LinkPath path, int length) {
        return framed(path, length, false);
    }

    @Override
    public @Nullable Packet claimOrDrop(LinkPath path, int length) {
        return framed(path, length, false);
    }

    @Override
    public @Nullable Packet claimRaw(LinkPath path, int length) {
        return framed(path, length, true);
    }

    private @Nullable Packet framed(LinkPath path, int length, boolean raw) {
        if (length < 1 || length > packetMax()) {
            return inner.claim(path, length < 1 ? 0 : inner.packetMax() + 1);
        }
        Packet packet = claimInner(path, Bth.LENGTH + length, raw);
        for (int step = 0; packet == null && step < STEPS_MAX && onFull.getAsBoolean(); step++) {
            packet = claimInner(path, Bth.LENGTH + length, raw);
        }
        if (packet == null) {
            counters.onRefused();
            return null;
        }
        claimed = packet;
        if (!raw) {
            Bth.write(
                    packet.segment(),
                    packet.offset(),
                    Opcode.UD_SEND_ONLY,
                    false,
                    0,
                    Partitions.DEFAULT_KEY,
                    QUEUE_PAIR);
        }
        Bth.writeSequence(packet.segment(), packet.offset(), length, false);
        return inside(packet, length, outbound);
    }

    private @Nullable Packet claimInner(LinkPath path, int length, boolean raw) {
        return raw ? inner.claimRaw(path, length) : inner.claim(path, length);
    }

    private static Packet inside(Packet packet, int length, Packet view) {
        return view.in(packet.segment(), packet.bytes())
                .at(packet.offset() + Bth.LENGTH, length, 0)
                .from(packet.sourceHigh(), packet.sourceLow(), packet.sourcePort())
                .to(packet.targetHigh(), packet.targetLow(), packet.targetPort())
                .marked(packet.trafficClass(), packet.hopLimit())
                .raw(packet.raw());
    }

    @Override
    public void commit(Packet packet) {
        Packet framed = claimed;
        claimed = null;
        inner.commit(framed == null ? packet : framed);
        counters.onSent(1, packet.length());
    }

    @Override
    public void abandon(Packet packet) {
        Packet framed = claimed;
        claimed = null;
        inner.abandon(framed == null ? packet : framed);
    }

    @Override
    public int receive(PacketHandler target, int limit) {
        handler = target;
        return inner.receive(arrivals, limit);
    }

    private void onArrival(Packet packet) {
        int length = Bth.psn(packet.segment(), packet.offset());
        counters.onReceived(1, length);
        handler.onPacket(inside(packet, length, inbound));
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }
}
