package org.verbena.link.association;

import java.lang.foreign.MemorySegment;

/**
 * Both directions of a connection that carries messages, each of them at least once, in any order. No method waits. The thread that drives
 * the engine calls everything.
 */
public interface Association {
    /** Bytes of the longest message. */
    int messageMax();

    /** Messages that can be given now. */
    int room();

    /** Gives a message to the network, which copies it. There must be {@link #room}. */
    void send(long nowNs, MemorySegment memory, long at, int length);

    /** Offers messages that have arrived, at most {@code max}; how many. */
    int receive(long nowNs, int max, MessageTaker taker);

    /** Whether the peer has ended, and all its messages were taken. */
    boolean isEnded();

    /** Ends this side's direction behind the messages that were given. */
    void endOutput();

    /** Ends both directions; messages on the way are lost. Closing again does nothing. */
    void close();

    /** When the next message arrives; {@link Long#MAX_VALUE} if none is on the way. */
    long nextNs();
}
