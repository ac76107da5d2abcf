package org.verbena.connect.protocol;

import org.verbena.link.Endpoint;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.MadMessage;

/** What the protocol needs of an adapter: sending, timers, the time, chance. The engine's thread calls everything. */
public interface Surroundings {
    /** Sends a message to the communication manager of a port, or of data at connect. The message may get lost. */
    void send(Endpoint to, MadMessage message, long transactionId);

    /** Arms a timer, or moves an armed one. */
    void schedule(WheelTimer timer, long deadlineNs);

    /** Disarms a timer. */
    void cancel(WheelTimer timer);

    /** The adapter's time now. */
    long nowNs();

    /** 32 random bits that a peer cannot predict. */
    int random();

    /** The adapter's GUID. */
    long guid();

    /** Adds one to a counter. */
    void count(Counter counter);
}
