package org.verbena.link.tcp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.stream.StreamAcceptor;
import org.verbena.link.stream.StreamListener;
import org.verbena.link.tcp.driver.ListenSocket;
import org.verbena.link.tcp.driver.StreamSocket;

/** A listener of a {@link TcpNetwork}. When the system cannot give a stream, it rests for a time. */
final class TcpListener implements StreamListener {
    /** Streams that it takes in one poll; the others wait for the next. */
    private static final int STREAMS_PER_POLL = 16;

    /** Time after which it tries again when the system has refused. */
    static final long REST_NS = 20_000_000;

    private final TcpNetwork network;
    private final ListenSocket socket;
    private final StreamAcceptor acceptor;
    private @Nullable Watch watch;
    private boolean ready = true;
    private boolean paused;
    private boolean rests;
    private long restsUntilNs;
    private boolean closed;

    TcpListener(TcpNetwork network, ListenSocket socket, StreamAcceptor acceptor) {
        this.network = network;
        this.socket = socket;
        this.acceptor = acceptor;
    }

    /** Has a sleeper watch it. */
    void attach(Sleeper sleeper) {
        watch = socket.watch(sleeper, this::onReady);
        applyWants();
    }

    private void applyWants() {
        if (watch != null) {
            watch.wants(!paused && !rests, false);
        }
    }

    void onReady() {
        ready = true;
    }

    /** Whether it may have a stream. */
    boolean hasEvent() {
        return ready && !paused && !rests && !closed;
    }

    boolean rests() {
        return rests && !paused;
    }

    /** Takes streams; how many. */
    int tell(long nowNs) {
        if (rests && nowNs - restsUntilNs >= 0) {
            rests = false;
            applyWants();
        }
        int told = 0;
        while (hasEvent() && told < STREAMS_PER_POLL) {
            told += take(nowNs);
        }
        return told;
    }

    private int take(long nowNs) {
        TcpStream stream;
        try {
            StreamSocket made = socket.accept();
            if (made == null) {
                ready = false;
                return 0;
            }
            stream = network.add(made);
        } catch (IOException | LinkException e) {
            rests = true;
            restsUntilNs = nowNs + REST_NS;
            applyWants();
            acceptor.onRefused("no stream for the listener at " + local() + ": " + e.getMessage());
            return 1;
        }
        acceptor.onStream(stream);
        return 1;
    }

    @Override
    public Endpoint local() {
        return socket.local();
    }

    @Override
    public void pause() {
        paused = true;
        applyWants();
    }

    @Override
    public void resume() {
        paused = false;
        applyWants();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (watch != null) {
                watch.close();
            }
            socket.close();
            network.onClosed(this);
        }
    }
}
