package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A message that waits to be sent, or that the peer has not read yet. Guarded by the channel's lock. */
final class Outgoing {
    final int flags;
    final long tag;
    final MemorySegment data;
    /** Whether the sender waits only until the data is copied, if the message fits a buffer. */
    final boolean endsWhenPosted;
    /** The request that it answers; its buffer is given back when this message needs its data no more. */
    final @Nullable Slot answered;
    /** True when the message has arrived, or was posted; false when it was withdrawn. */
    final CompletableFuture<Boolean> done = new CompletableFuture<>();
    /** The registered memory of a large message. */
    @Nullable
    LargeSource source;
    /** Number under which it is announced. */
    int number = -1;
    /** Whether the peer was asked not to read it. */
    boolean withdrawn;

    Outgoing(int flags, long tag, MemorySegment data, boolean endsWhenPosted, @Nullable Slot answered) {
        this.flags = flags;
        this.tag = tag;
        this.data = data;
        this.endsWhenPosted = endsWhenPosted;
        this.answered = answered;
    }

    /** Gives registered memory back. */
    void releaseSource() {
        LargeSource registered = source;
        if (registered != null) {
            source = null;
            registered.release();
        }
    }
}
