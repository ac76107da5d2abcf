package org.verbena.link.tcp.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.tcp.driver.BufferSizes;
import org.verbena.link.tcp.driver.ListenSocket;
import org.verbena.link.tcp.driver.OpenFailure;
import org.verbena.link.tcp.driver.Sockets;
import org.verbena.link.tcp.driver.StreamSocket;

/** Makes channels, non-blocking and without Nagle's delay. */
public final class NioSockets implements Sockets {
    private final BufferSizes sizes;
    private final SourceChoice sources = new SourceChoice();

    public NioSockets(BufferSizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public String name() {
        return "tcp (JDK channels)";
    }

    @Override
    public void tryWatch(Sleeper sleeper) {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            sleeper.watch(channel, () -> {}).close();
        } catch (IOException e) {
            throw new LinkException("a channel to watch refused by the system: " + e.getMessage(), e);
        }
    }

    private static ProtocolFamily family(Endpoint endpoint) {
        return endpoint.ipv6() ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }

    private static InetSocketAddress socketAddress(Endpoint endpoint) {
        return new InetSocketAddress(endpoint.address(), endpoint.port());
    }

    @Override
    public StreamSocket connect(Endpoint local, Endpoint remote) throws OpenFailure {
        SocketChannel channel;
        try {
            channel = SocketChannel.open(family(local));
        } catch (IOException e) {
            throw new OpenFailure(StreamFailure.EXHAUSTED, local, remote, String.valueOf(e.getMessage()));
        }
        try {
            if (local.port() != 0) {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            }
            prepare(channel, sizes);
            if (local.port() != 0 || !sources.isChosen(local.address(), remote)) {
                channel.bind(socketAddress(local));
            }
            channel.connect(socketAddress(remote));
            return new StreamChannel(channel, local, remote, sources);
        } catch (IOException | IllegalArgumentException e) {
            close(channel);
            throw OpenFailures.of(e, local, remote);
        }
    }

    /** Gives a channel of a stream its properties. */
    static void prepare(SocketChannel channel, BufferSizes sizes) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (sizes.sendBytes() > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, sizes.sendBytes());
        }
        if (sizes.receiveBytes() > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, sizes.receiveBytes());
        }
    }

    @Override
    public ListenSocket listen(Endpoint at, int backlog) {
        try {
            ServerSocketChannel channel = ServerSocketChannel.open(family(at));
            try {
                channel.configureBlocking(false);
                if (sizes.receiveBytes() > 0) {
                    channel.setOption(StandardSocketOptions.SO_RCVBUF, sizes.receiveBytes());
                }
                channel.bind(socketAddress(at), backlog);
                return new ListenChannel(channel, StreamChannel.endpoint(channel.getLocalAddress()), sizes);
            } catch (IOException | IllegalArgumentException e) {
                close(channel);
                throw e;
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new LinkException("listening at " + at + " refused by the system: " + e.getMessage(), e);
        }
    }

    static void close(NetworkChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Closing is the only purpose; the caller could do nothing more.
        }
    }
}
