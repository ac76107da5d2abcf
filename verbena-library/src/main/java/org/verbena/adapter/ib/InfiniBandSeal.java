package org.verbena.adapter.ib;

import org.verbena.link.Packet;
import org.verbena.wire.ib.Icrc;

/** The invariant CRC of InfiniBand, which covers the route headers that the link has written before the packet. */
final class InfiniBandSeal implements Seal {
    private final Icrc icrc = new Icrc();

    @Override
    public int length() {
        return Icrc.LENGTH;
    }

    @Override
    public void write(Packet packet) {
        Icrc.write(packet.segment(), at(packet), compute(packet));
    }

    @Override
    public boolean isIntact(long nowNs, Packet packet) {
        return Icrc.read(packet.segment(), at(packet)) == compute(packet);
    }

    private static long at(Packet packet) {
        return (long) packet.offset() + packet.length() - Icrc.LENGTH;
    }

    private int compute(Packet packet) {
        int route = packet.routeLength();
        return icrc.computeLocal(packet.bytes(), packet.offset() - route, route + packet.length() - Icrc.LENGTH);
    }
}
