package org.verbena.message;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.verbs.WorkRequest;

/** A receive buffer and the message in it. Guarded by the channel's lock until the message is taken. */
final class Slot {
    final int number;
    final PooledBuffer buffer;
    final WorkRequest.Receive request;
    /** Whether the message can be taken. */
    boolean ready;
    /** Whether the peer has withdrawn the message. */
    boolean dropped;

    int flags;
    long tag;
    long length;
    BlockCache.@Nullable Block landing;

    @Nullable
    Announcement announcement;

    Slot(int number, PooledBuffer buffer) {
        this.number = number;
        this.buffer = buffer;
        this.request = new WorkRequest.Receive(number, buffer.local());
    }

    /** A message has arrived, or is announced. */
    void onArrived(long bytes) {
        MemorySegment frame = buffer.segment();
        flags = Frame.flags(frame);
        tag = Frame.tag(frame);
        length = bytes;
        ready = false;
        dropped = false;
    }

    /** Whether the message lies in memory of its own, and not in the buffer. */
    boolean isLarge() {
        return landing != null;
    }

    /** The memory that the message is in. */
    MemorySegment memory() {
        BlockCache.Block large = landing;
        return large == null ? buffer.segment() : large.memory;
    }

    /** The offset of its first byte in the memory. */
    long offset() {
        return landing == null ? Frame.LENGTH : 0;
    }

    /** The bytes of the message. */
    MemorySegment data() {
        return memory().asSlice(offset(), length);
    }
}
