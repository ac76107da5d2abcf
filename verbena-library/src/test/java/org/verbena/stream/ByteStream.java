package org.verbena.stream;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Bytes in order, without boundaries of messages; it holds a bounded number of them. */
final class ByteStream {
    private final ByteBuffer bytes = ByteBuffer.allocate(1024);

    int room() {
        return bytes.remaining();
    }

    int available() {
        return bytes.position();
    }

    void write(ByteBuffer more) {
        bytes.put(more);
    }

    /** Takes the oldest bytes; there must be as many. */
    ByteBuffer read(int count) {
        byte[] taken = new byte[count];
        bytes.flip();
        bytes.get(taken);
        bytes.compact();
        return ByteBuffer.wrap(taken);
    }

    MemorySegment readSegment(int count) {
        return MemorySegment.ofBuffer(read(count));
    }
}
