package org.verbena.link.stream;

import java.nio.ByteBuffer;
import org.verbena.link.Endpoint;

/**
 * A stream of which the first bytes were read already: it gives them again. Its user reads once without being told: the network tells only
 * of bytes that it still has.
 */
public final class PrefixedStream implements ByteStream {
    private final ByteStream stream;
    private final ByteBuffer first;

    /** @param first the bytes that were read; belongs to the stream from now on */
    public PrefixedStream(ByteStream stream, ByteBuffer first) {
        this.stream = stream;
        this.first = first;
    }

    @Override
    public int read(ByteBuffer into) {
        if (!first.hasRemaining()) {
            return stream.read(into);
        }
        int count = Math.min(first.remaining(), into.remaining());
        into.put(into.position(), first, first.position(), count);
        into.position(into.position() + count);
        first.position(first.position() + count);
        return count;
    }

    @Override
    public int write(ByteBuffer from) {
        return stream.write(from);
    }

    @Override
    public int write(ByteBuffer[] from, int count) {
        return stream.write(from, count);
    }

    @Override
    public void endOutput() {
        stream.endOutput();
    }

    @Override
    public void close() {
        stream.close();
    }

    @Override
    public int packetMax() {
        return stream.packetMax();
    }

    @Override
    public Endpoint local() {
        return stream.local();
    }

    @Override
    public Endpoint remote() {
        return stream.remote();
    }

    @Override
    public void user(StreamUser user) {
        stream.user(user);
    }

    @Override
    public void wants(boolean read, boolean write) {
        stream.wants(read, write);
    }
}
