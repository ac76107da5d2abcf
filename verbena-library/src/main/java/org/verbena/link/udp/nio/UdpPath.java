package org.verbena.link.udp.nio;

import java.net.InetSocketAddress;
import org.verbena.link.Endpoint;
import org.verbena.link.Flow;
import org.verbena.link.Path;

/** A destination of a {@link UdpLink}. */
final class UdpPath implements Path {
    private final UdpLink owner;
    private final Endpoint remote;
    private final Flow flow;
    final UdpSender sender;
    final InetSocketAddress socketAddress;
    final long high;
    final long low;
    final int port;
    final int trafficClass;
    final int hopLimit;
    final boolean group;

    UdpPath(UdpLink owner, Endpoint remote, UdpSender sender, Flow flow) {
        this.owner = owner;
        this.remote = remote;
        this.sender = sender;
        this.flow = flow;
        this.socketAddress = new InetSocketAddress(remote.address(), remote.port());
        this.high = remote.high();
        this.low = remote.low();
        this.port = remote.port();
        this.trafficClass = flow.trafficClass();
        this.hopLimit = flow.hopLimit();
        this.group = remote.address().isMulticastAddress();
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public Endpoint source() {
        return sender.source();
    }

    @Override
    public Flow flow() {
        return flow;
    }

    boolean isOf(UdpLink link) {
        return owner == link;
    }
}
