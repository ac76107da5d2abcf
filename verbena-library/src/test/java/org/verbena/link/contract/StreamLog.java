package org.verbena.link.contract;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.stream.StreamUser;

/** Counts the events of a stream. If it has the stream, it reads all that arrives. */
public final class StreamLog implements StreamUser {
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final ByteArrayOutputStream arrived = new ByteArrayOutputStream();
    private @Nullable ByteStream reads;
    public int readable;
    public int writable;
    public int connected;
    public boolean ended;
    public @Nullable StreamFailure failure;
    public String detail = "";

    /** Reads this stream from now on, and wants to. */
    public StreamLog reads(ByteStream stream) {
        reads = stream;
        stream.user(this);
        stream.wants(true, false);
        return this;
    }

    /** The bytes that were read. */
    public byte[] arrived() {
        return arrived.toByteArray();
    }

    public int told() {
        return readable + writable + connected + (failure == null ? 0 : 1);
    }

    @Override
    public void onReadable() {
        readable++;
        ByteStream stream = reads;
        if (stream == null || ended) {
            return;
        }
        int count = stream.read(buffer.clear());
        if (count == ByteStream.END) {
            ended = true;
            stream.wants(false, false);
        } else {
            byte[] bytes = new byte[count];
            buffer.flip().get(bytes);
            arrived.writeBytes(bytes);
        }
    }

    @Override
    public void onWritable() {
        writable++;
    }

    @Override
    public void onConnected() {
        connected++;
    }

    @Override
    public void onFailed(StreamFailure why, String text) {
        failure = why;
        detail = text;
    }
}
