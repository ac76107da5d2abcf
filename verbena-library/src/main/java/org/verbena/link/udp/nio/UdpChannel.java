package org.verbena.link.udp.nio;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkError;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.support.SourcePorts;

/** A datagram channel, unconnected and non-blocking, that never fragments; its trouble with single datagrams is a result, no exception. */
final class UdpChannel {
    private static final int PORTS_TRIED = 256;

    private final DatagramChannel channel;
    private final Endpoint requested;
    private final LinkCounters counters;
    private @Nullable Watch watch;
    private int trafficClass;
    private int groupHops = 1;

    private UdpChannel(DatagramChannel channel, Endpoint requested, LinkCounters counters) {
        this.channel = channel;
        this.requested = requested;
        this.counters = counters;
    }

    /** The setup of a channel before it is used. */
    private interface Preparation {
        void prepare(UdpChannel channel) throws IOException;
    }

    private static UdpChannel open(Endpoint requested, LinkCounters counters, Preparation preparation) {
        try {
            DatagramChannel channel =
                    DatagramChannel.open(requested.ipv6() ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
            try {
                UdpChannel made = new UdpChannel(channel, requested, counters);
                preparation.prepare(made);
                channel.configureBlocking(false);
                return made;
            } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            throw new LinkException("bind to " + requested + " refused by the system: " + e.getMessage(), e);
        }
    }

    /** A channel that receives at this endpoint; port 0 lets the system choose. */
    static UdpChannel receiver(Endpoint local, LinkCounters counters, int bufferBytes) {
        return open(local, counters, made -> {
            made.set(StandardSocketOptions.SO_RCVBUF, bufferBytes);
            made.bind(local.port());
        });
    }

    /** A channel that receives packets to a group that come in by this interface. One machine may have several for one group. */
    static UdpChannel member(Endpoint group, NetworkInterface by, LinkCounters counters, int bufferBytes) {
        return open(group, counters, made -> {
            made.set(StandardSocketOptions.SO_RCVBUF, bufferBytes);
            made.set(StandardSocketOptions.SO_REUSEADDR, true);
            made.bind(group.port());
            made.channel.join(group.address(), by);
        });
    }

    /** A channel that sends from this address, with the port this flow would like, or else another one of the same range. */
    static UdpChannel sender(
            Endpoint local, LinkFlow flow, NetworkInterface by, LinkCounters counters, int bufferBytes) {
        return open(local, counters, made -> {
            made.set(StandardSocketOptions.SO_SNDBUF, bufferBytes);
            // Without fragments Linux gives every datagram identification 0, which the invariant CRC covers.
            made.set(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            made.set(StandardSocketOptions.IP_MULTICAST_IF, by);
            made.bindSender(flow);
        });
    }

    private void bind(int port) throws IOException {
        channel.bind(new InetSocketAddress(requested.address(), port));
    }

    private void bindSender(LinkFlow flow) throws IOException {
        int first = SourcePorts.of(flow) - SourcePorts.FIRST;
        for (int i = 0; ; i++) {
            try {
                bind(SourcePorts.FIRST + (first + i) % SourcePorts.COUNT);
                return;
            } catch (BindException e) {
                if (i == PORTS_TRIED) {
                    throw e;
                }
            }
        }
    }

    private <T> void set(SocketOption<T> option, T value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }

    /** Where it is bound. */
    Endpoint local() {
        try {
            SocketAddress bound = channel.getLocalAddress();
            return bound instanceof InetSocketAddress address ? requested.withPort(address.getPort()) : requested;
        } catch (IOException e) {
            throw new LinkException("name of " + requested + " refused by the system: " + e.getMessage(), e);
        }
    }

    /** Lets a sleep end when the channel can be read, or written. */
    void watch(Sleeper sleeper, boolean read, boolean write) {
        Watch present = watch;
        if (present == null && (read || write)) {
            present = sleeper.watch(channel, () -> {});
            watch = present;
        }
        if (present != null) {
            present.wants(read, write);
        }
    }

    /** Sends one datagram: positive if it left, 0 if there is no room now, negative if it never will leave. */
    int send(ByteBuffer datagram, UdpPath path) {
        try {
            mark(path);
            return channel.send(datagram, path.socketAddress);
        } catch (IOException e) {
            counters.onSendError(kind(e));
            return -1;
        }
    }

    private void mark(UdpPath path) throws IOException {
        if (path.trafficClass != trafficClass) {
            set(StandardSocketOptions.IP_TOS, path.trafficClass);
            trafficClass = path.trafficClass;
        }
        if (path.group && path.hopLimit != groupHops) {
            set(StandardSocketOptions.IP_MULTICAST_TTL, path.hopLimit);
            groupHops = path.hopLimit;
        }
    }

    /** The kind of an exception; most exceptions of channels have no kind of their own. */
    private static LinkError kind(IOException thrown) {
        if (thrown instanceof NoRouteToHostException) {
            return LinkError.UNREACHABLE;
        }
        return thrown instanceof PortUnreachableException ? LinkError.CONNECTION_REFUSED : LinkError.OTHER;
    }

    /** Receives one datagram, if there is one, and tells the packet where it comes from. */
    boolean receive(ByteBuffer target, SourceAddresses sources, Packet packet) {
        try {
            SocketAddress source = channel.receive(target);
            if (source == null) {
                return false;
            }
            sources.tell(source, packet);
            return true;
        } catch (IOException e) {
            counters.onReceiveError(kind(e));
            return false;
        }
    }

    void close() {
        if (watch != null) {
            watch.close();
        }
        try {
            channel.close();
        } catch (IOException e) {
            // Closing is the only purpose; the caller could do nothing more.
        }
    }
}
