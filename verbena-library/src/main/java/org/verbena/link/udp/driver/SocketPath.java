package org.verbena.link.udp.driver;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;

/** A destination of a {@link SocketLink}: remote endpoint, flow, and the socket that sends to it. */
public abstract class SocketPath implements LinkPath {
    private final SocketLink owner;
    private final Endpoint remote;
    private final LinkFlow flow;

    /** The numbers of the remote endpoint. */
    public final long high;

    public final long low;
    public final int port;

    /** The marks of the flow. */
    public final int trafficClass;

    public final int hopLimit;

    protected SocketPath(SocketLink owner, Endpoint remote, LinkFlow flow) {
        this.owner = owner;
        this.remote = remote;
        this.flow = flow;
        this.high = remote.high();
        this.low = remote.low();
        this.port = remote.port();
        this.trafficClass = flow.trafficClass();
        this.hopLimit = flow.hopLimit();
    }

    @Override
    public final Endpoint remote() {
        return remote;
    }

    @Override
    public final LinkFlow flow() {
        return flow;
    }

    final boolean isOf(SocketLink link) {
        return owner.equals(link);
    }

    /** Reserves room for a packet at the socket; null if there is none now. */
    protected abstract @Nullable Packet claim(int length);

    /** Whether the packet is the view of this path's socket. */
    protected abstract boolean isMine(Packet packet);

    /** Completes the packet that was claimed last. */
    protected abstract void commit(int length);
}
