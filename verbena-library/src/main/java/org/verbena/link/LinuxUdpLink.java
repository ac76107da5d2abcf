package org.verbena.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * UDP on Linux by its own system calls: many packets per call, cut apart and put together by the kernel or the network card.
 *
 * <p>Opened through {@link UdpNetwork}, which knows where this works.
 */
final class LinuxUdpLink implements Link {
    private final Libc libc = new Libc();
    private final LinkCounters counters = new LinkCounters();
    private final LinuxSocket socket;
    private final LinuxWaiter waiter;
    private final Endpoint local;
    private final int packetMax;
    private final SendBatch batch;
    private final ReceiveBatch arrivals;
    private final Packet outgoing = new Packet();
    private @Nullable LinuxUdpPath claimed;
    private int flushedByClaim;
    private boolean closed;

    LinuxUdpLink(Endpoint requested, UdpOptions options) {
        packetMax = InterfaceMtu.packetMax(requested);
        socket = LinuxSocket.open(libc, requested, options.socketBufferBytes());
        waiter = openWaiter();
        local = socket.local();
        batch = new SendBatch(libc, counters, options.segmentation() && socket.segments());
        arrivals = new ReceiveBatch(libc, counters, local);
        outgoing.in(batch.segment(), batch.bytes()).from(local.high(), local.low(), local.port());
    }

    private LinuxWaiter openWaiter() {
        try {
            return new LinuxWaiter(libc, socket.fd());
        } catch (LinkException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return batch.segmentation() ? "udp (Linux, segmentation offload)" : "udp (Linux)";
    }

    @Override
    public List<Endpoint> locals() {
        return List.of(local);
    }

    @Override
    public int packetMax() {
        return packetMax;
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public Path path(Endpoint remote, Flow flow) {
        return new LinuxUdpPath(this, remote, Locals.toward(remote, locals()), flow);
    }

    @Override
    public void join(Endpoint group) {
        Locals.joining(group, locals());
        throw new LinkException("group " + group + " found, but " + name() + " does not join groups yet");
    }

    @Override
    public void leave(Endpoint group) {}

    @Override
    public @Nullable Packet claim(Path path, int length) {
        if (!(path instanceof LinuxUdpPath to) || !to.isOf(this)) {
            throw Misuse.path(path, this);
        }
        if (length < 1 || length > packetMax) {
            throw Misuse.length(length, packetMax);
        }
        if (claimed != null) {
            throw Misuse.claimPending();
        }
        if (closed) {
            throw Misuse.closed(this);
        }
        if (!batch.claim(to, length) && !claimAfterFlush(to, length)) {
            counters.onRefused();
            return null;
        }
        claimed = to;
        return outgoing.at(batch.claimedOffset(), length, batch.claimedIdentification())
                .to(to.high, to.low, to.port);
    }

    private boolean claimAfterFlush(LinuxUdpPath to, int length) {
        flushedByClaim += batch.flush(socket.fd());
        return batch.claim(to, length);
    }

    @Override
    public void commit(Packet packet) {
        batch.commit(takeClaimed(packet), packet.length());
    }

    @Override
    public void abandon(Packet packet) {
        takeClaimed(packet);
    }

    private LinuxUdpPath takeClaimed(Packet packet) {
        LinuxUdpPath to = claimed;
        if (to == null || packet != outgoing) {
            throw Misuse.notClaimed();
        }
        claimed = null;
        return to;
    }

    @Override
    public int flush() {
        int packets = flushedByClaim;
        flushedByClaim = 0;
        return batch.isEmpty() ? packets : packets + batch.flush(socket.fd());
    }

    @Override
    public int receive(PacketHandler handler, int limit) {
        return arrivals.receive(socket.fd(), handler, limit);
    }

    @Override
    public boolean await(long timeoutNs) {
        return arrivals.hasRest() || waiter.await(timeoutNs, !batch.isEmpty());
    }

    @Override
    public void wakeup() {
        waiter.wakeup();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            batch.clear();
            socket.close();
            waiter.close();
        }
    }
}
