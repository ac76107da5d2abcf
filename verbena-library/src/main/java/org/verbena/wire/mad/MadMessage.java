package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/** A message that fills one management datagram, with its header. */
public sealed interface MadMessage permits CmMessage, DataMessage {
    /** Writes a whole datagram, header and message, at {@code at}. */
    void writeMad(MemorySegment segment, long at, long transactionId);
}
