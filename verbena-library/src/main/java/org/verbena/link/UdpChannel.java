package org.verbena.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import jdk.net.ExtendedSocketOptions;

/** A datagram channel, unconnected and non-blocking, that never fragments; its trouble with single datagrams is a result, no exception. */
final class UdpChannel {
    private final DatagramChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final Endpoint local;

    private UdpChannel(DatagramChannel channel, Endpoint requested, int bufferBytes) throws IOException {
        this.channel = channel;
        set(StandardSocketOptions.SO_RCVBUF, bufferBytes);
        set(StandardSocketOptions.SO_SNDBUF, bufferBytes);
        // Without fragments Linux gives every datagram identification 0, which the invariant CRC has to know.
        set(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
        channel.bind(new InetSocketAddress(requested.address(), requested.port()));
        channel.configureBlocking(false);
        this.local = requested.withPort(((InetSocketAddress) channel.getLocalAddress()).getPort());
        this.selector = Selector.open();
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    static UdpChannel open(Endpoint requested, int bufferBytes) {
        try {
            DatagramChannel channel =
                    DatagramChannel.open(requested.ipv6() ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
            try {
                return new UdpChannel(channel, requested, bufferBytes);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new LinkException("bind to " + requested + " refused by the system: " + e.getMessage(), e);
        }
    }

    private <T> void set(SocketOption<T> option, T value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }

    Endpoint local() {
        return local;
    }

    Selector selector() {
        return selector;
    }

    SelectionKey key() {
        return key;
    }

    /** Sends one datagram: positive if it left, 0 if there is no room now, negative if it never will leave. */
    int send(ByteBuffer datagram, InetSocketAddress target) {
        try {
            return channel.send(datagram, target);
        } catch (IOException e) {
            return -1;
        }
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
            return false;
        }
    }

    void close() {
        try {
            channel.close();
            selector.close();
        } catch (IOException e) {
            // Closing is all we wanted; there is nobody who could do more about it.
        }
    }
}
