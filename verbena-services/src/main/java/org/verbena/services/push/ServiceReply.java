package org.verbena.services.push;

import java.lang.foreign.MemorySegment;

/** The data of a reply that is being written. Valid until {@link ServiceHandler#onRequest} returns. */
public interface ServiceReply {
    /** Memory for the data. */
    MemorySegment memory();

    /** Offset of their first byte in the memory. */
    long offset();

    /** Bytes that the reply has room for. */
    int room();

    /**
     * Sets the length of the data; 0 unless this is called.
     *
     * @throws IllegalArgumentException if it is negative or more than {@link #room}
     */
    void length(int bytes);
}
