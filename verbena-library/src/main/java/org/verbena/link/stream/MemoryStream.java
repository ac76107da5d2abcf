package org.verbena.link.stream;

import java.nio.ByteBuffer;
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

    private final Pipe input;
    private final Pipe output;
    private final int packetMax;
    private final Seed seed;
    private final int pieceMax;

    private MemoryStream(Pipe input, Pipe output, int packetMax, Seed seed, int pieceMax) {
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
        Pipe one = new Pipe(capacity);
        Pipe two = new Pipe(capacity);
        return new MemoryStream[] {
            new MemoryStream(one, two, packetMax, seed, pieceMax), new MemoryStream(two, one, packetMax, seed, pieceMax)
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
        output.closed = true;
        input.closed = true;
        input.bytes.clear();
    }

    @Override
    public int packetMax() {
        return packetMax;
    }
}
