package org.verbena.adapter.iwarp.ddp;

import java.lang.foreign.MemorySegment;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.wire.iwarp.TerminateCode;

/**
 * The protocol above DDP: has the memory and the buffers, and places the data. A segment is header and data, at {@code at}. The sender counts
 * its segments, from 0.
 */
public interface DdpUser {
    /** In place of a capacity: no buffer is there. */
    long NO_BUFFER = -1;

    /** Bytes of the buffer for the next message, or the one under way, of a queue; {@link #NO_BUFFER} if there is none. */
    long capacity(int queue);

    /** Offers a segment of the tagged model in its turn, whose header is right but for key and range. */
    Intake onTagged(long number, MemorySegment memory, long at, int length);

    /**
     * Offers a segment of the tagged model before its turn: segments before it are missing. {@link Intake#TAKEN} if its data are in place; then
     * {@link #onPlaced} or {@link #onLost} follows. {@link Intake#LATER} if it has to wait for its turn, also to be refused then.
     */
    Intake onTaggedEarly(long number, MemorySegment memory, long at, int length);

    /** It is the turn of a segment whose data are in place: all before it have come. Only its header is in the memory. */
    Intake onPlaced(long number, MemorySegment memory, long at, int length);

    /** The stream has ended before the turn of a segment whose data are in place. Only its header is in the memory. */
    void onLost(long number, MemorySegment memory, long at);

    /** Offers a segment of the untagged model, which is the next of its queue and fits the buffer. */
    Intake onUntagged(MemorySegment memory, long at, int length);

    /** A segment is wrong: nothing of it was used, and the stream has to end for this reason. */
    void onError(TerminateCode reason, MemorySegment memory, long at, int length);
}
