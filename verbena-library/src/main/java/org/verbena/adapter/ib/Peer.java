package org.verbena.adapter.ib;

import org.verbena.Mtu;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.wire.ib.Partitions;

/** The other end of a connection: the path to it, its queue pair, partition and MTU. */
public final class Peer {
    private final LinkPath path;
    private final int queuePair;
    private final int pkey;
    private final Mtu mtu;
    private final long addressHigh;
    private final long addressLow;
    private final long localHigh;
    private final long localLow;

    public Peer(LinkPath path, int queuePair, int pkey, Mtu mtu) {
        this.path = path;
        this.queuePair = queuePair;
        this.pkey = pkey;
        this.mtu = mtu;
        this.addressHigh = path.remote().high();
        this.addressLow = path.remote().low();
        this.localHigh = path.source().high();
        this.localLow = path.source().low();
    }

    public LinkPath path() {
        return path;
    }

    public int queuePair() {
        return queuePair;
    }

    public int pkey() {
        return pkey;
    }

    /** Whether a packet with this key is of the partition of the connection. */
    public boolean sharesPartition(int other) {
        return Partitions.match(other, pkey);
    }

    public Mtu mtu() {
        return mtu;
    }

    /**
     * Whether the packet goes between the addresses of the connection: from the peer's to the local one. The source port is not
     * compared: it is chosen per flow.
     */
    public boolean sent(Packet packet) {
        return packet.sourceLow() == addressLow
                && packet.sourceHigh() == addressHigh
                && packet.targetLow() == localLow
                && packet.targetHigh() == localHigh;
    }

    @Override
    public String toString() {
        return path.remote() + " queue pair " + queuePair;
    }
}
