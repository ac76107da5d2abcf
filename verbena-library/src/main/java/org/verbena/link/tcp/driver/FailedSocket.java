package org.verbena.link.tcp.driver;

import java.nio.ByteBuffer;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.stream.ByteStream;

/** In place of the socket of a stream that could not be opened. */
public final class FailedSocket implements StreamSocket {
    private static final Watch NO_WATCH = new Watch() {
        @Override
        public void wants(boolean read, boolean write) {}

        @Override
        public void close() {}
    };

    private final Endpoint local;
    private final Endpoint remote;
    private final OpenFailure failure;

    public FailedSocket(Endpoint local, Endpoint remote, OpenFailure failure) {
        this.local = local;
        this.remote = remote;
        this.failure = failure;
    }

    @Override
    public int read(ByteBuffer into) {
        return ByteStream.END;
    }

    @Override
    public int write(ByteBuffer from) {
        return ByteStream.END;
    }

    @Override
    public int write(ByteBuffer[] from, int count) {
        return ByteStream.END;
    }

    @Override
    public boolean finishConnect() throws OpenFailure {
        throw failure;
    }

    @Override
    public void endOutput() {}

    @Override
    public void close() {}

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
        return NO_WATCH;
    }
}
