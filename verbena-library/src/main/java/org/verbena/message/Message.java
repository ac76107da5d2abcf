package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A message that has arrived, in a buffer of its channel. It belongs to the caller until {@link #close}, which lets the peer
 * send another one: a program that keeps messages open stops its peer. Any thread, one at a time. The memory must not be used
 * after {@code close}, when another message may be in it; after the close of the channel an access throws {@link
 * IllegalStateException}.
 */
public final class Message implements AutoCloseable {
    private final ChannelCore channel;
    private final Slot slot;
    private final MemorySegment data;
    private final AtomicBoolean closed = new AtomicBoolean();

    Message(ChannelCore channel, Slot slot) {
        this.channel = channel;
        this.slot = slot;
        this.data = slot.data();
    }

    /** Its bytes, in native memory. */
    public MemorySegment segment() {
        requireOpen();
        return data;
    }

    /** A new view of its bytes, big-endian. */
    public ByteBuffer buffer() {
        requireOpen();
        return data.asByteBuffer();
    }

    /** A copy of its bytes. */
    public byte[] bytes() {
        requireOpen();
        return data.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Bytes. */
    public long length() {
        return data.byteSize();
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException("the message is closed: its buffer may hold another one");
        }
    }

    /** Gives its buffer back. A second call does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            channel.release(slot);
        }
    }

    @Override
    public String toString() {
        return "message (" + data.byteSize() + " bytes" + (closed.get() ? ", closed)" : ")");
    }
}
