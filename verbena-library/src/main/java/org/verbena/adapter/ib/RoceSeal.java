package org.verbena.adapter.ib;

import org.verbena.link.Packet;
import org.verbena.wire.ib.Icrc;

/**
 * The invariant CRC of RoCEv2, which covers the fields of the IP and UDP headers that routers do not change.
 *
 * <p>One of them is the IPv4 identification, which a UDP socket does not show to a receiver. Where the best guess fails, the CRC's
 * linearity gives the identification that the sender must have used. If there is none, or if {@link Identifications} judges it
 * implausible, the packet is damaged.
 */
final class RoceSeal implements Seal {
    private final Icrc icrc = new Icrc();
    private final PeerIdentifications peers = new PeerIdentifications();

    @Override
    public int length() {
        return Icrc.LENGTH;
    }

    @Override
    public void write(Packet packet) {
        long at = (long) packet.offset() + packet.length() - Icrc.LENGTH;
        Icrc.write(packet.segment(), at, compute(packet, packet.identification()));
    }

    @Override
    public boolean isIntact(long nowNs, Packet packet) {
        int found = Icrc.read(packet.segment(), (long) packet.offset() + packet.length() - Icrc.LENGTH);
        boolean guessed = found == compute(packet, packet.identification());
        if (packet.ipv6() || packet.identificationCertain()) {
            return guessed;
        }
        Identifications history = peers.of((int) packet.sourceLow());
        if (guessed) {
            history.onGuessed();
            return true;
        }
        int length = packet.length() - Icrc.LENGTH;
        int identification = icrc.recoverIdentification(found, compute(packet, 0), length);
        if (identification < 0) {
            history.onDamaged();
            return false;
        }
        return history.accept(identification, nowNs);
    }

    /** The CRC of a packet that carries this IPv4 identification. */
    private int compute(Packet packet, int identification) {
        return icrc.compute(
                packet.bytes(),
                packet.offset(),
                packet.length() - Icrc.LENGTH,
                packet.sourceHigh(),
                packet.sourceLow(),
                packet.targetHigh(),
                packet.targetLow(),
                packet.sourcePort(),
                packet.targetPort(),
                identification);
    }
}
