package org.verbena.link.frame;

import static org.verbena.link.frame.FrameBounds.ETHERNET_BYTES;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;

/** The port of a datagram channel of the JDK, connected to its peer: on any system, for threads that sleep for channels. */
final class ChannelPort implements FramePort {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int DATAGRAM_BYTES_MAX = 65_536;

    private final String name;
    private final DatagramChannel channel;
    private final FrameCounters counters = new FrameCounters();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
    private final MemorySegment bytes = MemorySegment.ofBuffer(buffer);
    private @Nullable Watch watch;
    private boolean wantsFrames = true;
    private int mtu = FrameCableOptions.MTU;
    private boolean closed;

    private ChannelPort(String name, DatagramChannel channel) {
        this.name = name;
        this.channel = channel;
    }

    static ChannelPort open(Endpoint local, Endpoint remote) {
        try {
            DatagramChannel channel =
                    DatagramChannel.open(local.ipv6() ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
            try {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
                channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
                channel.bind(new InetSocketAddress(local.address(), local.port()));
                channel.connect(new InetSocketAddress(remote.address(), remote.port()));
                channel.configureBlocking(false);
                return new ChannelPort("udp (NIO) " + local + " to " + remote, channel);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new LinkException(
                    "bind to " + local + ", connected to " + remote + ", refused by the system: " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int receive(MemorySegment into, long offset, int room) {
        FrameBounds.check(into, offset, room);
        int length = closed ? 0 : read();
        if (length <= 0) {
            return 0;
        }
        if (length < ETHERNET_BYTES) {
            counters.onReceiveMalformed();
            return 0;
        }
        if (length > room) {
            counters.onReceiveTooLong();
            return 0;
        }
        MemorySegment.copy(bytes, 0, into, offset, length);
        counters.onReceived(length);
        return length;
    }

    private int read() {
        try {
            buffer.clear();
            return channel.read(buffer);
        } catch (PortUnreachableException e) {
            // An earlier frame found no peer.
            return 0;
        } catch (IOException e) {
            counters.onReceiveError();
            return 0;
        }
    }

    @Override
    public boolean send(MemorySegment from, long offset, int length) {
        FrameBounds.check(from, offset, length);
        if (closed || length < ETHERNET_BYTES || length > DATAGRAM_BYTES_MAX || !write(from, offset, length)) {
            counters.onSendDropped();
            return false;
        }
        counters.onSent(length);
        return true;
    }

    private boolean write(MemorySegment from, long offset, int length) {
        MemorySegment.copy(from, offset, bytes, 0, length);
        try {
            buffer.clear().limit(length);
            return channel.write(buffer) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public boolean canOffload() {
        return false;
    }

    @Override
    public void offloads(boolean on) {
        if (on) {
            throw new LinkException("offloads asked for at " + name + ", which cannot have them");
        }
    }

    @Override
    public boolean offloads() {
        return false;
    }

    @Override
    public boolean isUp() {
        return !closed;
    }

    @Override
    public void carrier(boolean up) {}

    @Override
    public long macAddress() {
        return 0;
    }

    @Override
    public void macAddress(long bits) {}

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public void mtu(int bytes) {
        FrameCableOptions.checkMtu(bytes);
        mtu = bytes;
    }

    @Override
    public void wantsFrames(boolean yes) {
        wantsFrames = yes;
        if (watch != null) {
            watch.wants(yes, false);
        }
    }

    @Override
    public FrameCounters counters() {
        return counters;
    }

    @Override
    public void attach(Sleeper sleeper) {
        watch = sleeper.watch(channel, () -> {});
        watch.wants(wantsFrames, false);
    }

    @Override
    public long sleepMaxNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (watch != null) {
            watch.close();
            watch = null;
        }
        try {
            channel.close();
        } catch (IOException e) {
            // Closing is the only purpose; the caller could do nothing more.
        }
    }
}
