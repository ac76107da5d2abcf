package org.verbena.link.stream;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.verbena.link.Endpoint;
import org.verbena.time.Seed;

/**
 * One end of a stream within the process. Each direction holds a bounded number of bytes, so a peer that does not read stops the sender.
 * With a seed, bytes come and go in pieces of random lengths, as they do over TCP.
 */
public final class MemoryStream implements ByteStream {
    /** Bytes on the way in one direction. */
    private static final class Pipe {
        final ByteBuffer bytes;
        boolean ended;
        boolean closed;

        Pipe(int capacity) {
            bytes = ByteBuffer.allocate(capacity);
        }
    }

    /** Of streams that no network has made. */
    private static final Endpoint NOWHERE = new Endpoint(InetAddress.getLoopbackAddress(), 0);

    private static final StreamUser NOBODY = new StreamUser() {
        @Override
        public void onReadable() {}

        @Override
        public void onWritable() {}
    };

    private final Endpoint local;
    private final Endpoint remote;
    private final Pipe input;
    private final Pipe output;
    private final int packetMax;
    private final Seed seed;
    private final int pieceMax;
    private StreamUser user = NOBODY;
    private boolean wantsRead;
    private boolean wantsWrite;
    private boolean closed;

    private MemoryStream(
            Endpoint local, Endpoint remote, Pipe input, Pipe output, int packetMax, Seed seed, int pieceMax) {
        this.local = local;
        this.remote = remote;
        this.input = input;
        this.output = output;
        this.packetMax = packetMax;
        this.seed = seed;
        this.pieceMax = pieceMax;
    }

    /**
     * Two ends that are connected.
     *
     * @param capacity bytes that are on the way in one direction at most
     * @param pieceMax bytes that one call moves at most; each call moves a random number of them. 0: all that there are
     */
    public static MemoryStream[] pair(int capacity, int packetMax, Seed seed, int pieceMax) {
        return pair(NOWHERE, NOWHERE, capacity, packetMax, seed, pieceMax);
    }

    /** The same, between two addresses: the first end is at the first. */
    static MemoryStream[] pair(Endpoint here, Endpoint there, int capacity, int packetMax, Seed seed, int pieceMax) {
        Pipe one = new Pipe(capacity);
        Pipe two = new Pipe(capacity);
        return new MemoryStream[] {
            new MemoryStream(here, there, one, two, packetMax, seed, pieceMax),
            new MemoryStream(there, here, two, one, packetMax, seed, pieceMax)
        };
    }

    @Override
    public int read(ByteBuffer into) {
        ByteBuffer bytes = input.bytes;
        if (bytes.position() == 0) {
            return input.ended || input.closed ? END : 0;
        }
        int count = piece(Math.min(bytes.position(), into.remaining()));
        bytes.flip();
        into.put(into.position(), bytes, 0, count);
        into.position(into.position() + count);
        bytes.position(count);
        bytes.compact();
        return count;
    }

    @Override
    public int write(ByteBuffer from) {
        if (output.ended || output.closed) {
            return END;
        }
        int count = piece(Math.min(output.bytes.remaining(), from.remaining()));
        output.bytes.put(output.bytes.position(), from, from.position(), count);
        output.bytes.position(output.bytes.position() + count);
        from.position(from.position() + count);
        return count;
    }

    private int piece(int available) {
        return available == 0 || pieceMax == 0 ? available : Math.min(available, 1 + seed.nextInt(pieceMax));
    }

    @Override
    public void endOutput() {
        output.ended = true;
    }

    @Override
    public void close() {
        closed = true;
        output.closed = true;
        input.closed = true;
        input.bytes.clear();
    }

    @Override
    public int packetMax() {
        return packetMax;
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
    public void user(StreamUser other) {
        user = other;
    }

    @Override
    public void wants(boolean read, boolean write) {
        wantsRead = read;
        wantsWrite = write;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether an event that is wanted is there. */
    boolean isReady() {
        return isReadable() || isWritable();
    }

    private boolean isReadable() {
        return !closed && wantsRead && (input.bytes.position() > 0 || input.ended || input.closed);
    }

    private boolean isWritable() {
        return !closed && wantsWrite && (output.bytes.hasRemaining() || output.ended || output.closed);
    }

    /** Tells the user the events that are wanted; how many. */
    int tell() {
        int told = 0;
        if (isReadable()) {
            user.onReadable();
            told++;
        }
        if (isWritable()) {
            user.onWritable();
            told++;
        }
        return told;
    }

    /** The peer has taken the stream that this side opened. */
    void onConnected() {
        if (!closed) {
            user.onConnected();
        }
    }

    /** The peer has no listener, or has closed it. */
    void onRefused(String detail) {
        if (!closed) {
            close();
            user.onFailed(StreamFailure.REFUSED, detail);
        }
    }
}
