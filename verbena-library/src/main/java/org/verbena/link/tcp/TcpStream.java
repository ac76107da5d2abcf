package org.verbena.link.tcp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamUser;
import org.verbena.link.tcp.driver.OpenFailure;
import org.verbena.link.tcp.driver.StreamSocket;

/**
 * A stream of a {@link TcpNetwork}, and what is known of its readiness. It may be readable from the moment that a look finds it ready until a read
 * has taken all that there was: less than the buffer had room for. The same holds for room to write. A user that wants an event, and tries before it is
 * told, is answered without a system call.
 */
final class TcpStream implements ByteStream {
    /** Polls without bytes after which a stream is not told any more that it may be readable, until a look finds it so. */
    static final int WARM_POLLS = 64;

    private enum State {
        CONNECTING,
        OPEN,
        CLOSED
    }

    private final TcpNetwork network;
    private final StreamSocket socket;
    private StreamUser user;
    private @Nullable Watch watch;
    private State state;
    private boolean wantsRead;
    private boolean wantsWrite;
    private boolean readable = true;
    private boolean writable = true;
    /** Whether the user was told that bytes may be there, and has not read since. */
    private boolean mayRead;

    /** Whether the system refuses to watch it. */
    private boolean lost;

    private int pollsSinceBytes = WARM_POLLS;
    /** Its place in the list of all streams. */
    int index;
    /** Whether it is in the list of streams that the next poll tells. */
    boolean listed;

    TcpStream(TcpNetwork network, StreamSocket socket, StreamUser user, boolean connecting) {
        this.network = network;
        this.socket = socket;
        this.user = user;
        this.state = connecting ? State.CONNECTING : State.OPEN;
    }

    /** Has a sleeper watch it. */
    void attach(Sleeper sleeper) {
        watch = socket.watch(sleeper, this::onReady);
        applyWants();
    }

    private void applyWants() {
        Watch present = watch;
        if (present != null) {
            boolean connecting = state == State.CONNECTING;
            try {
                present.wants(wantsRead && !connecting, wantsWrite || connecting);
            } catch (LinkException e) {
                lost = true; // without a watch its bytes would never be found
                readable = true;
                writable = true;
            }
        }
    }

    /** A look, or a sleep, has found the socket ready for one of the two directions, or for both. */
    void onReady() {
        readable = true;
        writable = true;
        if (state != State.CLOSED) {
            network.list(this);
        }
    }

    /** Whether an event is known that the user wants. */
    boolean hasEvent() {
        return state == State.CONNECTING
                ? readable
                : state == State.OPEN && ((wantsRead && readable) || (wantsWrite && writable));
    }

    /** Whether bytes came a short time ago, so that more are likely. */
    boolean isWarm() {
        return state == State.OPEN && wantsRead && pollsSinceBytes < WARM_POLLS;
    }

    /** Tells the user the events; how many there were. A warm stream is told that it may be readable, which is an event only if it has bytes. */
    int tell() {
        if (state == State.CONNECTING) {
            return finishConnect();
        }
        int told = 0;
        if ((state == State.OPEN && wantsRead && readable) || isWarm()) {
            boolean known = readable;
            pollsSinceBytes = Math.min(pollsSinceBytes + 1, WARM_POLLS);
            mayRead = true;
            user.onReadable();
            told += known || pollsSinceBytes == 0 ? 1 : 0;
        }
        if (state == State.OPEN && wantsWrite && writable) {
            user.onWritable();
            told++;
        }
        return told;
    }

    private int finishConnect() {
        readable = false; // stays so if the attempt is under way
        try {
            if (!socket.finishConnect()) {
                return 0;
            }
        } catch (OpenFailure e) {
            close();
            user.onFailed(e.why(), e.detail());
            return 1;
        }
        state = State.OPEN;
        readable = true;
        applyWants();
        user.onConnected();
        return 1;
    }

    @Override
    public int read(ByteBuffer into) {
        if (state != State.OPEN) {
            return state == State.CONNECTING ? 0 : END;
        }
        if (wantsRead && !readable && !mayRead) {
            return 0;
        }
        int count = lost ? END : socket.read(into);
        if (count > 0) {
            pollsSinceBytes = 0;
            network.list(this);
        }
        readable = count == END || !into.hasRemaining();
        mayRead = false;
        return count;
    }

    @Override
    public int write(ByteBuffer from) {
        if (!mayWrite()) {
            return state == State.CLOSED ? END : 0;
        }
        int count = lost ? END : socket.write(from);
        writable = count == END || !from.hasRemaining();
        return count;
    }

    @Override
    public int write(ByteBuffer[] from, int count) {
        if (!mayWrite()) {
            return state == State.CLOSED ? END : 0;
        }
        int written = lost ? END : socket.write(from, count);
        writable = written == END || !from[count - 1].hasRemaining();
        return written;
    }

    private boolean mayWrite() {
        return state == State.OPEN && (writable || !wantsWrite);
    }

    @Override
    public void endOutput() {
        if (state == State.OPEN) {
            socket.endOutput();
        }
    }

    @Override
    public void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            if (watch != null) {
                watch.close();
            }
            socket.close();
            network.onClosed(this);
        }
    }

    @Override
    public int packetMax() {
        return network.packetMax();
    }

    @Override
    public Endpoint local() {
        return socket.local();
    }

    @Override
    public Endpoint remote() {
        return socket.remote();
    }

    @Override
    public void user(StreamUser other) {
        user = other;
    }

    @Override
    public void wants(boolean read, boolean write) {
        if (state == State.CLOSED || (read == wantsRead && write == wantsWrite)) {
            return;
        }
        wantsRead = read;
        wantsWrite = write;
        applyWants();
        if (hasEvent()) {
            network.list(this);
        }
    }
}
