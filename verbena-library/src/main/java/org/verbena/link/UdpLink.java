package org.verbena.link;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * UDP by the JDK's channels, on any system: a call per packet. Waits are rounded up to whole milliseconds.
 *
 * <p>Opened through {@link UdpNetwork}.
 */
final class UdpLink implements Link {
    private static final long NS_PER_MS = 1_000_000;

    private final LinkCounters counters = new LinkCounters();
    private final UdpChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final Endpoint local;
    private final int packetMax;
    private final UdpSendQueue queue;
    private final ByteBuffer arrivalBytes = ByteBuffer.allocateDirect(Packet.LENGTH_MAX + 1);
    private final ByteBuffer arrivalView = arrivalBytes.duplicate();
    private final SourceAddresses sources = new SourceAddresses();
    private final Packet incoming = new Packet();
    private final Packet outgoing = new Packet();
    private final WakeFlag wake = new WakeFlag();
    private @Nullable UdpPath claimed;
    private int flushedByClaim;
    private volatile boolean closed;

    UdpLink(Endpoint requested, UdpOptions options) {
        packetMax = InterfaceMtu.packetMax(requested);
        channel = UdpChannel.open(requested, options.socketBufferBytes());
        selector = channel.selector();
        key = channel.key();
        local = channel.local();
        queue = new UdpSendQueue(channel, counters);
        outgoing.in(queue.segment(), queue.bytes()).from(local.high(), local.low(), local.port());
        incoming.in(MemorySegment.ofBuffer(arrivalBytes), arrivalBytes).to(local.high(), local.low(), local.port());
    }

    @Override
    public String name() {
        return "udp (NIO)";
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
        return new UdpPath(this, remote, Locals.toward(remote, locals()), flow);
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
        if (!(path instanceof UdpPath to) || !to.isOf(this)) {
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
        if (queue.isFull()) {
            flushedByClaim += queue.flush();
        }
        if (queue.isFull()) {
            counters.onRefused();
            return null;
        }
        claimed = to;
        return outgoing.at(queue.tailOffset(), length, 0).to(to.high, to.low, to.port);
    }

    @Override
    public void commit(Packet packet) {
        queue.add(takeClaimed(packet), packet.length());
    }

    @Override
    public void abandon(Packet packet) {
        takeClaimed(packet);
    }

    private UdpPath takeClaimed(Packet packet) {
        UdpPath to = claimed;
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
        return packets + queue.flush();
    }

    @Override
    public int receive(PacketHandler handler, int limit) {
        int packets = 0;
        long bytes = 0;
        while (packets < limit) {
            int length = receiveOne();
            if (length < 0) {
                break;
            }
            if (length == 0 || length > Packet.LENGTH_MAX) {
                counters.onReceiveDropped(1);
                continue;
            }
            incoming.at(0, length, 0);
            handler.onPacket(incoming);
            packets++;
            bytes += length;
        }
        if (packets > 0) {
            counters.onReceived(packets, bytes);
        }
        return packets;
    }

    /** Reads one datagram; its length, or −1 if there is none. */
    private int receiveOne() {
        arrivalView.clear();
        counters.onReceiveCall();
        return closed || !channel.receive(arrivalView, sources, incoming) ? -1 : arrivalView.position();
    }

    @Override
    public boolean await(long timeoutNs) {
        if (!wake.enter()) {
            return true;
        }
        int ready = select(timeoutNs);
        boolean raised = wake.leave();
        return raised || ready != 0;
    }

    private int select(long timeoutNs) {
        try {
            key.interestOps(queue.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            int ready = timeoutNs <= 0 ? selector.selectNow() : selector.select((timeoutNs - 1) / NS_PER_MS + 1);
            selector.selectedKeys().clear();
            return ready;
        } catch (IOException | ClosedSelectorException | CancelledKeyException e) {
            return -1;
        }
    }

    @Override
    public void wakeup() {
        if (wake.raise()) {
            selector.wakeup();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            queue.clear();
            channel.close();
        }
    }
}
