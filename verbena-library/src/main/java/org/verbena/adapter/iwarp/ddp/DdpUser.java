package org.verbena.adapter.iwarp.ddp;

import java.lang.foreign.MemorySegment;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.wire.iwarp.TerminateCode;

/** The protocol above DDP: has the memory and the buffers, and places the data. A segment is header and data, at {@code at}. */
public interface DdpUser {
    /** In place of a capacity: no buffer is there. */
    long NO_BUFFER = -1;

    /** Bytes of the buffer for the next message, or the one under way, of a queue; {@link #NO_BUFFER} if there is none. */
    long capacity(int queue);

    /** Offers a segment of the tagged model, whose header is right but for key and range. */
    Intake onTagged(MemorySegment memory, long at, int length);

    /** Offers a segment of the untagged model, which is the next of its queue and fits the buffer. */
    Intake onUntagged(MemorySegment memory, long at, int length);

    /** A segment is wrong: nothing of it was used, and the stream has to end for this reason. */
    void onError(TerminateCode reason, MemorySegment memory, long at, int length);
}
