package org.verbena.link.association;

import java.lang.foreign.MemorySegment;

/** Takes messages that have arrived. */
@FunctionalInterface
public interface MessageTaker {
    /**
     * Offers a message. It may have been offered before.
     *
     * @param number of the message: its sender counts its messages, from 0
     * @param memory that has the message until the call returns
     * @return false if it is not taken: it is offered again
     */
    boolean onMessage(long number, MemorySegment memory, long at, int length);
}
