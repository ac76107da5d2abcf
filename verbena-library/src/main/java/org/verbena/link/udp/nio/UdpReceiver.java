package org.verbena.link.udp.nio;

import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;

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
    }

    /** Lets a sleep end when something arrives. */
    void attach(Sleeper sleeper) {
        channel.watch(sleeper, true, false);
    }
}
