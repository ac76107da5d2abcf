package org.verbena.link.udp.driver;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Framing;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.support.LocalInterface;
import org.verbena.link.support.Misuse;

/** A UDP link without its sockets: the claim, commit and abandon of packets, which the drivers have in common. */
public abstract class SocketLink implements Link {
    protected final LinkCounters counters = new LinkCounters();
    protected final DriverOptions options;
    private final int packetMax;
    private @Nullable SocketPath claimed;
    private volatile boolean closed;

    protected SocketLink(List<Endpoint> requested, DriverOptions options) {
        this.options = options;
        this.packetMax = LocalInterface.packetMax(requested);
    }

    @Override
    public final Framing framing() {
        return Framing.ROCE_V2;
    }

    @Override
    public final int packetMax() {
        return packetMax;
    }

    @Override
    public final LinkCounters counters() {
        return counters;
    }

    protected final void requireOpen() {
        if (closed) {
            throw Misuse.closed(this);
        }
    }

    protected final boolean isClosed() {
        return closed;
    }

    @Override
    public final @Nullable Packet claim(LinkPath path, int length) {
        if (!(path instanceof SocketPath to) || !to.isOf(this)) {
            throw Misuse.path(path, this);
        }
        if (length < 1 || length > packetMax) {
            throw Misuse.length(length, packetMax);
        }
        if (claimed != null) {
            throw Misuse.claimPending();
        }
        requireOpen();
        Packet packet = to.claim(length);
        if (packet == null) {
            counters.onRefused();
            return null;
        }
        claimed = to;
        return packet;
    }

    @Override
    public final void commit(Packet packet) {
        takeClaimed(packet).commit(packet.length());
    }

    @Override
    public final void abandon(Packet packet) {
        takeClaimed(packet);
    }

    private SocketPath takeClaimed(Packet packet) {
        SocketPath to = claimed;
        if (to == null || !to.isMine(packet)) {
            throw Misuse.notClaimed();
        }
        claimed = null;
        return to;
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            closeSockets();
        }
    }

    /** Called once. */
    protected abstract void closeSockets();
}
