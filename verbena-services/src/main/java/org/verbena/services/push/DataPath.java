package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.wire.MessageFunction;
import org.verbena.services.push.wire.Refusal;

/** The way of data over one service connection. */
interface DataPath {
    /** Its channel; null if data go on the control channel. */
    @Nullable
    Channel channel();

    /** The channels are connected. */
    void open(long nowNs);

    /** Whether data can be sent. */
    boolean isReady();

    /** Bytes of data at most; 0 before the peer has told. */
    int bytesMax();

    /** Data that wait for a buffer of the peer. */
    int queued();

    /** Data that are on their way or wait. */
    int underWay();

    /** Sends data, has them wait, or drops them; false if they are dropped. */
    boolean push(int slot, int length);

    /**
     * A message that is about data or pools, well-formed.
     *
     * @param control whether it came on the control channel
     * @return null if it is accepted
     */
    @Nullable
    Refusal onMessage(MessageFunction function, MemorySegment memory, long at, int length, boolean control);

    /**
     * Delivers data.
     *
     * @param most data at most
     * @return the number of data delivered; more wait if it is {@code most}
     */
    int deliver(int most);

    /** The end of a turn: sends everything that can be sent. Returns how much. */
    int endTurn(long nowNs);

    /** The time at which {@link #endTurn} is due although nothing happens; {@link Long#MAX_VALUE} for never. */
    long nextDeadlineNs();

    /** Asks the peer to use no pool any more, and uses none of the peer's. */
    void beginFlush();

    /** Whether all pools are flushed. */
    boolean isFlushed();

    /** Ends it: the queue pair is closed and the memory is given back. */
    void close();
}
