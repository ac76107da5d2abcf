package org.verbena.link.udp.nio;

import java.nio.channels.SelectionKey;
import org.verbena.link.Endpoint;

/** A channel that a {@link UdpLink} receives from, at one of its addresses or as member of a group. */
final class UdpReceiver {
    final UdpChannel channel;
    final Endpoint target;
    final long high;
    final long low;
    final int port;

    UdpReceiver(UdpChannel channel) {
        this.channel = channel;
        this.target = channel.local();
        this.high = target.high();
        this.low = target.low();
        this.port = target.port();
        channel.interest(SelectionKey.OP_READ);
    }
}
