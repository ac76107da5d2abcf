package org.verbena.link.udp.nio;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.link.udp.driver.SocketPath;

/** A destination of a {@link UdpLink}: its socket address, and whether it is a group. */
final class UdpPath extends SocketPath {
    private final UdpSender sender;
    final InetSocketAddress socketAddress;
    final boolean group;

    UdpPath(UdpLink owner, Endpoint remote, UdpSender sender, LinkFlow flow) {
        super(owner, remote, flow);
        this.sender = sender;
        this.socketAddress = new InetSocketAddress(remote.address(), remote.port());
        this.group = remote.address().isMulticastAddress();
    }

    @Override
    public Endpoint source() {
        return sender.source();
    }

    @Override
    protected @Nullable Packet claim(int length) {
        return sender.claim(this, length);
    }

    @Override
    protected boolean isMine(Packet packet) {
        return sender.isMine(packet);
    }

    @Override
    protected void commit(int length) {
        sender.commit(this, length);
    }
}
