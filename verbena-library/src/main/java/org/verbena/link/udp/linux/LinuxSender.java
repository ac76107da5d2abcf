package org.verbena.link.udp.linux;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Packet;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;

/** A socket that a {@link LinuxUdpLink} sends from, one per UDP source port, with the packets that wait to leave by it. */
final class LinuxSender {
    private final LinuxSocket socket;
    private final SendBatch batch;
    private final Packet packet = new Packet();
    private final Endpoint source;
    private @Nullable Watch watch;
    private int flushedByClaim;

    LinuxSender(LinuxSocket socket, SendBatch batch) {
        this.socket = socket;
        this.batch = batch;
        this.source = socket.local();
        packet.in(batch.segment(), batch.bytes()).from(source.high(), source.low(), source.port());
    }

    Endpoint source() {
        return source;
    }

    /** Lets a sleep end when there is room for packets that could not leave. */
    void prepareSleep(Sleeper sleeper) {
        Watch present = watch;
        if (present == null && !batch.isEmpty()) {
            present = sleeper.watch(socket.fd(), () -> {});
            watch = present;
        }
        if (present != null) {
            present.wants(false, !batch.isEmpty());
        }
    }

    /** The target of a packet that was refused; null if the system has told of none. */
    @Nullable
    Endpoint takeRefusal(LinuxRefusals refusals) {
        return refusals.take(socket.fd());
    }

    /** Room for a packet, or null if there is none now. */
    @Nullable
    Packet claim(LinuxUdpPath to, int length) {
        if (!batch.claim(to, length)) {
            flushedByClaim += batch.flush(socket.fd());
            if (!batch.claim(to, length)) {
                return null;
            }
        }
        return packet.at(batch.claimedOffset(), length, batch.claimedIdentification())
                .to(to.high, to.low, to.port)
                .marked(to.trafficClass, to.hopLimit);
    }

    boolean isMine(Packet candidate) {
        return candidate == packet;
    }

    void commit(LinuxUdpPath to, int length) {
        batch.commit(to, length);
    }

    /** Hands over as many packets as the system takes; returns the number since the last flush. */
    int flush() {
        int packets = flushedByClaim;
        flushedByClaim = 0;
        return batch.isEmpty() ? packets : packets + batch.flush(socket.fd());
    }

    void close() {
        batch.clear();
        if (watch != null) {
            watch.close();
        }
        socket.close();
    }
}
