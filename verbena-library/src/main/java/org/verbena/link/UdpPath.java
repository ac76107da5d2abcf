package org.verbena.link;

import java.net.InetSocketAddress;

/** A destination of a {@link UdpLink}. */
final class UdpPath implements Path {
    private final UdpLink owner;
    private final Endpoint remote;
    private final Endpoint source;
    private final Flow flow;
    final InetSocketAddress socketAddress;
    final long high;
    final long low;
    final int port;

    UdpPath(UdpLink owner, Endpoint remote, Endpoint source, Flow flow) {
        this.owner = owner;
        this.remote = remote;
        this.source = source;
        this.flow = flow;
        this.socketAddress = new InetSocketAddress(remote.address(), remote.port());
        this.high = remote.high();
        this.low = remote.low();
        this.port = remote.port();
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public Endpoint source() {
        return source;
    }

    @Override
    public Flow flow() {
        return flow;
    }

    boolean isOf(UdpLink link) {
        return owner == link;
    }
}
