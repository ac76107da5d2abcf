package org.verbena.adapter.ib;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Effort;
import org.verbena.link.Link;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/** From headers and payload to a packet on the link: writes the BTH, pads, has it sealed. */
public final class Transmitter {
    private final Link link;
    private final Counters counters;
    private final Effort effort;
    private final Seal seal;
    /** The packet that is begun and neither ended nor abandoned. */
    private @Nullable Packet begun;

    public Transmitter(Link link, Seal seal, Counters counters, Effort effort) {
        this.link = link;
        this.seal = seal;
        this.counters = counters;
        this.effort = effort;
    }

    /**
     * Begins a packet: its BTH is written, the extension headers and {@code payload} bytes behind them are the caller's to
     * write. {@link #end} or {@link #abandon} must follow.
     *
     * @return null when the link has no room now
     */
    public @Nullable Packet begin(
            Peer peer, Opcode opcode, int payload, int psn, boolean ackRequest, boolean solicited) {
        Packet packet = begin(peer.path(), opcode, payload, solicited, peer.pkey(), peer.queuePair(), psn);
        if (packet != null && ackRequest) {
            Bth.writeSequence(packet.segment(), packet.offset(), psn, true);
        }
        return packet;
    }

    /** Begins a packet that asks for no acknowledgement, to a queue pair that is no peer of a connection. */
    public @Nullable Packet begin(
            LinkPath path, Opcode opcode, int payload, boolean solicited, int pkey, int queuePair, int psn) {
        int pad = -payload & 3;
        int length = opcode.headerLength() + payload + pad + seal.length();
        // A datagram queue pair has many destinations: a datagram without room must not keep the next ones waiting.
        Packet packet =
                opcode.service() == TransportService.UD ? link.claimOrDrop(path, length) : link.claim(path, length);
        if (packet != null) {
            Bth.write(packet.segment(), packet.offset(), opcode, solicited, pad, pkey, queuePair);
            Bth.writeSequence(packet.segment(), packet.offset(), psn, false);
        }
        begun = packet;
        return packet;
    }

    /** Begins a raw packet of this EtherType; null when the link has no room now. */
    public @Nullable Packet beginRaw(LinkPath path, int etherType, int payload) {
        Packet packet = link.claimRaw(path, EtherTypes.HEADER_LENGTH + payload);
        if (packet != null) {
            EtherTypes.write(packet, etherType);
        }
        begun = packet;
        return packet;
    }

    /** Pads and seals the packet, unless it is a raw one, and gives it to the link. */
    public void end(Packet packet) {
        if (!packet.raw()) {
            pad(packet);
            seal.write(packet);
        }
        begun = null;
        link.commit(packet);
        effort.addBytes(packet.length());
        counters.add(Counter.SENT_PACKETS);
        counters.add(Counter.SENT_BYTES, packet.length());
    }

    private void pad(Packet packet) {
        MemorySegment segment = packet.segment();
        long end = (long) packet.offset() + packet.length() - seal.length();
        for (int pad = Bth.padCount(segment, packet.offset()); pad > 0; pad--) {
            segment.set(ValueLayout.JAVA_BYTE, end - pad, (byte) 0);
        }
    }

    /** Gives the packet up. */
    public void abandon(Packet packet) {
        begun = null;
        link.abandon(packet);
    }

    /** Hands the packets that have been ended to the network. */
    public void flush() {
        link.flush();
    }

    /** Gives up the packet that was begun when a turn was interrupted. */
    public void recover() {
        Packet packet = begun;
        if (packet != null) {
            abandon(packet);
        }
    }
}
