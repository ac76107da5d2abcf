package org.verbena.link.tcp.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.tcp.driver.OpenFailure;
import org.verbena.link.tcp.driver.StreamSocket;

/** A channel of a stream. A connection that is lost is a result, no exception. */
final class StreamChannel implements StreamSocket {
    private final SocketChannel channel;
    private Endpoint local;
    private final Endpoint remote;
    private final @Nullable SourceChoice sources;

    /** An open stream. */
    StreamChannel(SocketChannel channel, Endpoint local, Endpoint remote) {
        this(channel, local, remote, null);
    }

    /**
     * A stream that is being opened.
     *
     * @param local with port 0 if the system chooses it; known when the stream is open
     */
    StreamChannel(SocketChannel channel, Endpoint local, Endpoint remote, @Nullable SourceChoice sources) {
        this.channel = channel;
        this.local = local;
        this.remote = remote;
        this.sources = sources;
    }

    /** The endpoint of a bound or connected channel. */
    static Endpoint endpoint(SocketAddress address) throws IOException {
        if (address instanceof InetSocketAddress internet) {
            return new Endpoint(internet.getAddress(), internet.getPort());
        }
        throw new IOException("address " + address + " found, an IP address and a port expected");
    }

    @Override
    public int read(ByteBuffer into) {
        try {
            return channel.read(into);
        } catch (IOException e) {
            return ByteStream.END;
        }
    }

    @Override
    public int write(ByteBuffer from) {
        try {
            return channel.write(from);
        } catch (IOException e) {
            return ByteStream.END;
        }
    }

    @Override
    public int write(ByteBuffer[] from, int count) {
        try {
            return (int) channel.write(from, 0, count);
        } catch (IOException e) {
            return ByteStream.END;
        }
    }

    @Override
    public boolean finishConnect() throws OpenFailure {
        try {
            if (!channel.finishConnect()) {
                return false;
            }
            Endpoint from = endpoint(channel.getLocalAddress());
            if (!from.address().equals(local.address())) {
                forgetChoice();
                throw new IOException("begins at " + from + ", another address than that of the network");
            }
            local = from;
            return true;
        } catch (IOException e) {
            throw OpenFailures.of(e, local, remote);
        }
    }

    /** The route has changed since the choice was made. */
    private void forgetChoice() {
        if (sources != null) {
            sources.forget(remote);
        }
    }

    @Override
    public void endOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            // The connection is lost: the next read tells.
        }
    }

    @Override
    public void close() {
        NioSockets.close(channel);
    }

    @Override
    public Endpoint local() {
        return local;
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public Watch watch(Sleeper sleeper, Runnable onReady) {
        return sleeper.watch(channel, onReady);
    }
}
