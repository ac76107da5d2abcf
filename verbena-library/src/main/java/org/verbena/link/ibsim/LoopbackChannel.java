package org.verbena.link.ibsim;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkException;

/** One datagram channel of the loopback interface, non-blocking, in a selector. */
final class LoopbackChannel {
    /** Slot of the control port. */
    static final int CONTROL = -1;

    /** Result of {@link #read}: the peer has closed its socket. */
    static final int GONE = -2;

    /** The system cuts it to its own limit. */
    private static final int BUFFER_BYTES = 4 << 20;

    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    final int slot;
    final boolean connected;
    boolean ready;

    private final DatagramChannel channel;

    private LoopbackChannel(int slot, boolean connected, DatagramChannel channel) {
        this.slot = slot;
        this.connected = connected;
        this.channel = channel;
    }

    private interface Preparation {
        void prepare(DatagramChannel channel) throws IOException;
    }

    /**
     * A channel that receives at a port from any source.
     *
     * @throws LinkException if the port is in use, or the system refuses
     */
    static LoopbackChannel listening(int slot, int port, Selector selector) {
        try {
            return open(slot, false, selector, channel -> channel.bind(at(port)));
        } catch (BindException e) {
            throw new LinkException(
                    "UDP port " + port + " of 127.0.0.1 is in use: end the program that has it, or choose another port",
                    e);
        } catch (IOException e) {
            throw new LinkException("UDP port " + port + " of 127.0.0.1 refused: " + e.getMessage(), e);
        }
    }

    /** A second channel at the port of this one that has one peer: datagrams from the peer arrive there, all others here. */
    LoopbackChannel connect(InetSocketAddress peer, Selector selector) throws IOException {
        int port = port();
        reusable(channel, true);
        try {
            return open(slot, true, selector, second -> {
                reusable(second, true);
                second.bind(at(port));
                second.connect(peer);
                reusable(second, false);
            });
        } finally {
            // No other program may bind the port as a third.
            reusable(channel, false);
        }
    }

    private static void reusable(DatagramChannel channel, boolean on) throws IOException {
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, on);
    }

    private static LoopbackChannel open(int slot, boolean connected, Selector selector, Preparation preparation)
            throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            preparation.prepare(channel);
            channel.configureBlocking(false);
            LoopbackChannel made = new LoopbackChannel(slot, connected, channel);
            channel.register(selector, SelectionKey.OP_READ, made);
            return made;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Whether a program has this port: it cannot be bound. */
    static boolean isInUse(InetSocketAddress address) {
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.bind(address);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static InetSocketAddress at(int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
    }

    int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /** Reads a datagram of the peer: its length, -1 if there is none, {@link #GONE} if the peer is gone. */
    int read(ByteBuffer target) {
        target.clear();
        try {
            int length = channel.read(target);
            // An empty datagram and no datagram look the same; an empty one is noise.
            return length > 0 ? length : -1;
        } catch (PortUnreachableException e) {
            return GONE;
        } catch (IOException e) {
            return -1;
        }
    }

    /** Receives a datagram of any source, which is returned; null if there is none. */
    @Nullable
    InetSocketAddress receive(ByteBuffer target) {
        target.clear();
        try {
            return (InetSocketAddress) channel.receive(target);
        } catch (IOException e) {
            return null;
        }
    }

    /** Sends to the peer; false if the peer is gone. A datagram for which there is no room is lost. */
    boolean write(ByteBuffer datagram) {
        datagram.clear();
        try {
            channel.write(datagram);
            return true;
        } catch (PortUnreachableException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    void send(ByteBuffer datagram, InetSocketAddress target) {
        datagram.clear();
        try {
            channel.send(datagram, target);
        } catch (IOException e) {
            // The client is gone: a channel without a peer can do no more.
        }
    }

    void close() {
        ready = false;
        try {
            channel.close();
        } catch (IOException e) {
            // Closing is the only purpose; the caller could do nothing more.
        }
    }
}
