package org.verbena.fuzz;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.AtomicAckEth;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Ieth;
import org.verbena.wire.ib.ImmDt;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Reth;
import org.verbena.wire.ib.TransportService;

/**
 * Sends packets in the name of a peer: it has the peer's address, knows numbers of queue pairs, sequence numbers and keys,
 * and seals what it makes up with a right invariant CRC.
 */
final class Forger {
    private static final int PAYLOAD_MAX = 600;

    private final Link link;
    private final LinkPath path;
    private final Estate estate;
    private final Witness witness;
    private final int mtu;
    private final Icrc icrc = new Icrc();
    private int unreliablePsn;

    Forger(Link link, Endpoint victim, Estate estate, Witness witness, int mtu) {
        this.link = link;
        this.path = link.path(victim, LinkFlow.of(0));
        this.estate = estate;
        this.witness = witness;
        this.mtu = mtu;
    }

    /** Sends bytes as they are, unless they are for a queue pair that is to be left alone. */
    void sendRaw(byte[] bytes, int spared) {
        MemorySegment source = MemorySegment.ofArray(bytes);
        if (bytes.length == 0 || (bytes.length >= Bth.LENGTH && Bth.destinationQueuePair(source, 0) == spared)) {
            return;
        }
        Packet packet = link.claim(path, bytes.length);
        if (packet != null) {
            MemorySegment.copy(source, 0, packet.segment(), packet.offset(), bytes.length);
            link.commit(packet);
        }
    }

    /** Sends a packet whose fields the script chooses, most of them sensibly. */
    void send(Script script, int queuePair) {
        int code = script.unsignedByte() & (script.unsignedByte() < 240 ? 0x1f : 0xff);
        int bits = script.unsignedByte();
        Opcode opcode = Opcode.of(code);
        boolean response = opcode != null && opcode.isResponse();
        int base = response ? witness.requestPsn() : witness.expectedPsn();
        int psn = Psn.add(base, (bits & 3) == 0 ? script.signedByte() : 0);
        int headers = opcode == null ? Bth.LENGTH : opcode.headerLength();
        int payload = payload(script, (bits & 4) != 0);
        int pad = (bits & 8) == 0 ? -payload & 3 : bits >>> 4 & 3;
        Packet packet = link.claim(path, headers + payload + pad + Icrc.LENGTH);
        if (packet == null) {
            return;
        }
        fill(packet);
        int pkey = (bits & 0xc0) == 0xc0 ? script.unsignedShort() : Partitions.DEFAULT_KEY;
        boolean flag = (bits & 0x40) != 0;
        new Bth(code, flag, flag, pad, 0, pkey, flag, flag, queuePair, (bits & 0x80) == 0, psn)
                .write(packet.segment(), packet.offset());
        int psns = opcode == null ? 1 : extend(packet, opcode, script);
        seal(packet);
        link.commit(packet);
        if (!response) {
            witness.expect(Psn.add(psn, psns));
        }
    }

    /** Packets of unreliable services begin with this number again. */
    void unreliableFrom(int psn) {
        unreliablePsn = psn;
    }

    /** Sends a packet of an unreliable service, most often one that follows the one before. */
    void sendUnreliable(Script script, int queuePair, TransportService service) {
        int code = service.code() << 5 | (script.unsignedByte() & 0x1f);
        int bits = script.unsignedByte();
        Opcode opcode = Opcode.of(code);
        int psn = Psn.add(unreliablePsn, (bits & 7) == 0 ? script.signedByte() : 0);
        int headers = opcode == null ? Bth.LENGTH : opcode.headerLength();
        int payload = payload(script, (bits & 0x18) == 0x18);
        int pad = (bits & 0x20) == 0 ? -payload & 3 : bits & 3;
        Packet packet = link.claim(path, headers + payload + pad + Icrc.LENGTH);
        if (packet == null) {
            return;
        }
        fill(packet);
        boolean flag = (bits & 0x40) != 0;
        new Bth(code, flag, flag, pad, 0, Partitions.DEFAULT_KEY, flag, flag, queuePair, false, psn)
                .write(packet.segment(), packet.offset());
        if (opcode != null) {
            extend(packet, opcode, script);
        }
        seal(packet);
        link.commit(packet);
        unreliablePsn = Psn.next(psn);
    }

    private int payload(Script script, boolean odd) {
        return odd ? Math.min(script.unsignedShort(), PAYLOAD_MAX) : new int[] {0, 8, mtu, mtu}[script.below(4)];
    }

    private static void fill(Packet packet) {
        packet.segment().asSlice(packet.offset(), packet.length()).fill((byte) packet.length());
    }

    /** Writes the extension headers; how many sequence numbers the request takes. */
    private int extend(Packet packet, Opcode opcode, Script script) {
        int psns = 1;
        for (Extension extension : opcode.extensions()) {
            Reth reth = write(packet.segment(), packet.offset() + opcode.offsetOf(extension), extension, script);
            if (reth != null && opcode == Opcode.RC_RDMA_READ_REQUEST) {
                psns = (int) Math.max(1, (Integer.toUnsignedLong(reth.length()) + mtu - 1) / mtu);
            }
        }
        return psns;
    }

    private @Nullable Reth write(MemorySegment segment, long at, Extension extension, Script script) {
        switch (extension) {
            case RETH -> {
                Reth reth = new Reth(estate.address(script), estate.key(script), length(script));
                reth.write(segment, at);
                return reth;
            }
            case ATOMIC_ETH ->
                new AtomicEth(estate.address(script), estate.key(script), script.signedByte(), script.signedByte())
                        .write(segment, at);
            case AETH -> new Aeth(script.unsignedByte(), script.unsignedByte()).write(segment, at);
            case ATOMIC_ACK_ETH -> new AtomicAckEth(script.signedByte()).write(segment, at);
            case DETH ->
                new Deth(script.unsignedByte() < 200 ? Outworks.QKEY : script.anyInt(), script.unsignedShort())
                        .write(segment, at);
            case IETH -> new Ieth(estate.key(script)).write(segment, at);
            case IMMDT -> new ImmDt(script.unsignedByte()).write(segment, at);
            default -> segment.set(ValueLayout.JAVA_BYTE, at, (byte) script.unsignedByte());
        }
        return null;
    }

    private int length(Script script) {
        int choice = script.unsignedByte();
        return switch (choice & 3) {
            case 0 -> choice;
            case 1 -> mtu * (choice >>> 2);
            case 2 -> script.unsignedShort();
            default -> script.anyInt();
        };
    }

    private void seal(Packet packet) {
        int sealed = packet.length() - Icrc.LENGTH;
        int crc = icrc.compute(
                packet.bytes(),
                packet.offset(),
                sealed,
                packet.sourceHigh(),
                packet.sourceLow(),
                packet.targetHigh(),
                packet.targetLow(),
                packet.sourcePort(),
                packet.targetPort(),
                0);
        Icrc.write(packet.segment(), (long) packet.offset() + sealed, crc);
    }
}
