package org.verbena.tools.rping;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.verbena.verbs.RemoteMemory;

/**
 * A message of the exchange: memory of the client's that the server is to read or to write. The server's own messages have
 * the same length and say nothing.
 */
record Advertisement(RemoteMemory memory, int size) {
    static final int LENGTH = 16;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    static Advertisement read(MemorySegment segment, long at) {
        RemoteMemory memory = new RemoteMemory(segment.get(LONG, at), segment.get(INT, at + 8));
        return new Advertisement(memory, segment.get(INT, at + 12));
    }

    void write(MemorySegment segment, long at) {
        segment.set(LONG, at, memory.address());
        segment.set(INT, at + 8, memory.key());
        segment.set(INT, at + 12, size);
    }
}
