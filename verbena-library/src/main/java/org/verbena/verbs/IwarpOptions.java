package org.verbena.verbs;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.verbena.ReadyMessage;

/**
 * How an adapter opens streams of iWARP. Immutable; the {@code with} methods give changed copies. The two sides of a stream agree by the
 * frames of MPA.
 *
 * @param revision of MPA that a connector asks for: 1 or 2. Revision 2 negotiates the numbers of reads. A listener answers with the
 *     revision of the request
 * @param crc whether this side wants check sums (CRC32C). They are used if one side wants them
 * @param markers whether this side wants markers in the streams that it receives. Linux siw rejects them
 * @param ready messages of length 0 by which a connector can tell that it is ready to receive: a write, a read, a send. The listener's side
 *     chooses one of them, in this order, and sends nothing before it has come. The consumers notice nothing of it: it needs no receive, no key
 *     and no right. A read is one of the reads under way until it is answered. Revision 2 only. None: the first message of the listener's side
 *     waits for the connector's first one, 100 ms at most, and so it does with clients of Linux siw. A listener takes all three, whatever this
 *     says. Linux siw knows a write and a read; a connector that offers it a send alone gets no connection
 * @param negotiationLimit time that a stream at a listener has for its request. An attempt to connect has the time limit of its own options
 * @param receiveWait time that a send of the peer waits for a receive. The stream is not read meanwhile, so that everything behind the send waits
 *     too, answers to this side's reads included. Then, or at once if it is zero, the stream is terminated, as the standard has it
 */
public record IwarpOptions(
        int revision,
        boolean crc,
        boolean markers,
        Set<ReadyMessage> ready,
        Duration negotiationLimit,
        Duration receiveWait) {
    /** Revision 2, check sums, no markers, a write as ready message, 10 s for the negotiation and for a receive. */
    public static final IwarpOptions DEFAULT = new IwarpOptions(
            2, true, false, Set.of(ReadyMessage.WRITE), Duration.ofSeconds(10), Duration.ofSeconds(10));

    /** @throws IllegalArgumentException if a value is out of range; the message names it */
    public IwarpOptions {
        ready = ready.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(ready));
        QueuePairOptions.require("revision of MPA", revision, 1, 2);
        if (revision == 1 && !ready.isEmpty()) {
            throw new IllegalArgumentException("ready messages " + ready + " found, none expected with revision 1");
        }
        if (!negotiationLimit.isPositive()) {
            throw new IllegalArgumentException("negotiationLimit must be positive; found " + negotiationLimit);
        }
        if (receiveWait.isNegative()) {
            throw new IllegalArgumentException("receiveWait must not be negative; found " + receiveWait);
        }
    }

    /**
     * A copy that asks for this revision of MPA; with revision 1 without ready messages.
     *
     * @throws IllegalArgumentException if it is not 1 or 2
     */
    public IwarpOptions withRevision(int other) {
        return new IwarpOptions(other, crc, markers, other == 1 ? Set.of() : ready, negotiationLimit, receiveWait);
    }

    /** A copy that wants check sums or not. */
    public IwarpOptions withCrc(boolean wanted) {
        return new IwarpOptions(revision, wanted, markers, ready, negotiationLimit, receiveWait);
    }

    /** A copy that wants markers or not. */
    public IwarpOptions withMarkers(boolean wanted) {
        return new IwarpOptions(revision, crc, wanted, ready, negotiationLimit, receiveWait);
    }

    /**
     * A copy with these ready messages, of which the listener's side chooses one; or with none.
     *
     * @throws IllegalArgumentException if the revision is 1 and there are some
     */
    public IwarpOptions withReady(ReadyMessage... known) {
        return new IwarpOptions(revision, crc, markers, Set.of(known), negotiationLimit, receiveWait);
    }

    /**
     * A copy with this time limit.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public IwarpOptions withNegotiationLimit(Duration limit) {
        return new IwarpOptions(revision, crc, markers, ready, limit, receiveWait);
    }

    /**
     * A copy with this time that a send of the peer waits for a receive.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public IwarpOptions withReceiveWait(Duration wait) {
        return new IwarpOptions(revision, crc, markers, ready, negotiationLimit, wait);
    }
}
