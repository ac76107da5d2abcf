package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A message that waits to be sent, or that the peer has not read yet. Guarded by the channel's lock. */
final class Outgoing {
    final int flags;
    final long tag;
    final MemorySegment data;
    /** True when the message has arrived, false when it was withdrawn. */
    final CompletableFuture<Boolean> done = new CompletableFuture<>();
    /** Called when the message does not need the data or a place in the queue any more. */
    final @Nullable Runnable onPosted;
    /** The registered memory of a large message. */
    @Nullable
    LargeSource source;
    /** Number under which it is announced. */
    int number = -1;

    Outgoing(int flags, long tag, MemorySegment data, @Nullable Runnable onPosted) {
        this.flags = flags;
        this.tag = tag;
        this.data = data;
        this.onPosted = onPosted;
    }

    boolean isAnnounced() {
        return number >= 0;
    }
}
