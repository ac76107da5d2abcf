package org.verbena.connect.protocol;

import org.verbena.link.Endpoint;
import org.verbena.time.Timer;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.CmMessage;

/** What the protocol needs of the world. */
public interface Surroundings {
    /** Sends a message to a port's communication manager; it may get lost. */
    void send(Endpoint to, CmMessage message, long transactionId);

    void schedule(Timer timer, long deadlineNs);

    void cancel(Timer timer);

    long nowNs();

    /** Any 32 bits, not to be foretold. */
    int random();

    /** Of the adapter. */
    long guid();

    void count(Counter counter);
}
