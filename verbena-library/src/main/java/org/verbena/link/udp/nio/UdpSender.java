package org.verbena.link.udp.nio;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkCounters;
import org.verbena.link.Packet;
import org.verbena.link.Sleeper;

/** A channel that a {@link UdpLink} sends from, one per UDP source port, with the packets that wait to leave by it. */
final class UdpSender {
    private final UdpChannel channel;
    private final UdpSendQueue queue;
    private final Packet packet = new Packet();
    private final Endpoint source;
    private int flushedByClaim;

    UdpSender(UdpChannel channel, LinkCounters counters) {
        this.channel = channel;
        this.queue = new UdpSendQueue(channel, counters);
        this.source = channel.local();
        packet.in(queue.segment(), queue.bytes()).from(source.high(), source.low(), source.port());
    }

    Endpoint source() {
        return source;
    }

    /** Room for a packet, or null if there is none now. */
    @Nullable
    Packet claim(UdpPath to, int length) {
        if (queue.isFull()) {
            flushedByClaim += queue.flush();
            if (queue.isFull()) {
                return null;
            }
        }
        return packet.at(queue.tailOffset(), length, 0)
                .to(to.high, to.low, to.port)
                .marked(to.trafficClass, to.hopLimit);
    }

    boolean isMine(Packet candidate) {
        return candidate == packet;
    }

    void commit(UdpPath to, int length) {
        queue.add(to, length);
    }

    int flush() {
        int packets = flushedByClaim;
        flushedByClaim = 0;
        return packets + queue.flush();
    }

    /** Lets a sleep end when there is room for packets that could not leave. */
    void prepareSleep(Sleeper sleeper) {
        channel.watch(sleeper, false, !queue.isEmpty());
    }

    void close() {
        queue.clear();
        channel.close();
    }
}
