package org.verbena.message;

import java.lang.foreign.MemorySegment;

/** Body of a message that the receiver reads, big-endian: address (8 bytes), length (8), key (4), number (4). */
record Announcement(long address, long length, int key, int number) {
    static final int LENGTH = 24;

    static Announcement read(MemorySegment from, long at) {
        return new Announcement(
                from.get(Frame.LONG, at),
                from.get(Frame.LONG, at + 8),
                from.get(Frame.INT, at + 16),
                from.get(Frame.INT, at + 20));
    }

    void write(MemorySegment to, long at) {
        to.set(Frame.LONG, at, address);
        to.set(Frame.LONG, at + 8, length);
        to.set(Frame.INT, at + 16, key);
        to.set(Frame.INT, at + 20, number);
    }
}
