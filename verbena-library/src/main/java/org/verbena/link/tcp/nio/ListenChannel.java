package org.verbena.link.tcp.nio;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.tcp.driver.BufferSizes;
import org.verbena.link.tcp.driver.ListenSocket;
import org.verbena.link.tcp.driver.StreamSocket;

/** A channel that listens. */
final class ListenChannel implements ListenSocket {
    private final ServerSocketChannel channel;
    private final Endpoint local;
    private final BufferSizes sizes;

    ListenChannel(ServerSocketChannel channel, Endpoint local, BufferSizes sizes) {
        this.channel = channel;
        this.local = local;
        this.sizes = sizes;
    }

    @Override
    public @Nullable StreamSocket accept() throws IOException {
        SocketChannel made = channel.accept();
        if (made == null) {
            return null;
        }
        try {
            NioSockets.prepare(made, sizes);
            return new StreamChannel(
                    made,
                    StreamChannel.endpoint(made.getLocalAddress()),
                    StreamChannel.endpoint(made.getRemoteAddress()));
        } catch (IOException e) {
            NioSockets.close(made);
            throw e;
        }
    }

    @Override
    public Endpoint local() {
        return local;
    }

    @Override
    public Watch watch(Sleeper sleeper, Runnable onReady) {
        return sleeper.watch(channel, onReady);
    }

    @Override
    public void close() {
        NioSockets.close(channel);
    }
}
