package org.verbena.adapter.ib;

import org.verbena.link.Framing;
import org.verbena.link.Packet;

/**
 * Writes the check sum of a packet before it leaves, and checks it when one arrives. The framing of the link decides which one. The
 * engine's thread calls everything.
 */
public interface Seal {
    /** The seal for packets with this framing. */
    static Seal of(Framing framing) {
        return switch (framing) {
            case ROCE_V2 -> new RoceSeal();
            case INFINIBAND -> new InfiniBandSeal();
        };
    }

    /** Bytes of the check sum behind the padding. */
    int length();

    /** Writes the check sum; all other bytes of the packet have been written. */
    void write(Packet packet);

    /** Whether the packet, which is at least {@link #length()} bytes longer than a BTH, arrived undamaged. */
    boolean isIntact(long nowNs, Packet packet);
}
