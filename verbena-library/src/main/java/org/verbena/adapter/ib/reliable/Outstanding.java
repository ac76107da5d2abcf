package org.verbena.adapter.ib.reliable;

import org.verbena.adapter.pair.SendQueue;
import org.verbena.queue.Operation;
import org.verbena.queue.Ring;
import org.verbena.wire.ib.Psn;

/**
 * The work requests of a send ring between posting and retirement, and the sequence numbers they have.
 *
 * <p>Ring positions: {@code retired ≤ current ≤ started ≤ tail}, where started is behind the newest request that has
 * sequence numbers. PSNs: everything before {@code unacked} is answered, {@code next} leaves next, {@code fresh} was
 * never sent. Going back moves current and next; numbers once given stay.
 */
final class Outstanding {
    private final SendQueue queue;
    private final int[] firstPsn;
    private final int[] psnCount;
    /** What the slots of started requests said when they were judged: a consumer may overwrite them any time. */
    private final Operation[] operation;

    private final long[] length;
    private final boolean[] inline;
    private final int mask;

    private long started;
    private long current;
    private int cursor;
    private int unacked;
    private int next;
    private int fresh;

    Outstanding(SendQueue queue) {
        this.queue = queue;
        Ring ring = queue.ring();
        this.mask = ring.capacity() - 1;
        this.firstPsn = new int[ring.capacity()];
        this.psnCount = new int[ring.capacity()];
        this.operation = new Operation[ring.capacity()];
        this.length = new long[ring.capacity()];
        this.inline = new boolean[ring.capacity()];
        this.started = queue.retired();
        this.current = queue.retired();
    }

    /** Begins with this sequence number, whatever was posted before. */
    void begin(int psn) {
        unacked = psn;
        next = psn;
        fresh = psn;
    }

    /** Nothing is begun any more. */
    void forgetStarted() {
        started = queue.retired();
        current = queue.retired();
        cursor = 0;
        unacked = fresh;
        next = fresh;
    }

    /** Requests in the ring that are not retired. */
    int posted() {
        return queue.posted();
    }

    long retired() {
        return queue.retired();
    }

    long current() {
        return current;
    }

    /** PSNs of the current request that have been used. */
    int cursor() {
        return cursor;
    }

    int unackedPsn() {
        return unacked;
    }

    int nextPsn() {
        return next;
    }

    int freshPsn() {
        return fresh;
    }

    int firstPsn(long position) {
        return firstPsn[(int) position & mask];
    }

    int psnCount(long position) {
        return psnCount[(int) position & mask];
    }

    /** What the request was when it was started. */
    Operation operation(long position) {
        return operation[(int) position & mask];
    }

    /** Bytes of its message. */
    long length(long position) {
        return length[(int) position & mask];
    }

    /** Whether its data stands in the slot. */
    boolean inline(long position) {
        return inline[(int) position & mask];
    }

    boolean hasUnposted() {
        return current - queue.retired() < queue.posted();
    }

    /** Whether a request has sequence numbers or, if it needs none, was done. */
    boolean isStarted(long position) {
        return position < started;
    }

    boolean anyStarted() {
        return queue.retired() < started;
    }

    /** Packets, and answers asked for, that are on their way. */
    int inFlight() {
        return Math.max(0, Psn.distance(unacked, next));
    }

    /** Gives the current request its sequence numbers, and remembers what it is. */
    void start(int count, Operation what, long bytes, boolean inSlot) {
        int slot = (int) current & mask;
        operation[slot] = what;
        length[slot] = bytes;
        inline[slot] = inSlot;
        firstPsn[slot] = fresh;
        psnCount[slot] = count;
        started = current + 1;
    }

    /** The current request has used so many more of its numbers. */
    void advance(int psns) {
        cursor += psns;
        next = Psn.add(next, psns);
        if (Psn.distance(fresh, next) > 0) {
            fresh = next;
        }
        if (cursor >= psnCount(current)) {
            current++;
            cursor = 0;
        }
    }

    /** The current request needs no sequence numbers. */
    void skip() {
        current++;
        cursor = 0;
    }

    /** Whether what leaves next has been sent before. */
    boolean resending() {
        return next != fresh;
    }

    /** Everything before {@code psn} is answered. */
    void acknowledgedBefore(int psn) {
        unacked = psn;
    }

    /** The oldest request has been retired from the queue. */
    void onRetired() {
        if (current < queue.retired()) {
            current = queue.retired();
            cursor = 0;
        }
    }

    /** Goes to where {@code unacked} leaves next. */
    void seekUnacked() {
        next = unacked;
        for (long position = queue.retired(); position < started; position++) {
            if (Psn.isWithin(unacked, firstPsn(position), psnCount(position))) {
                current = position;
                cursor = unacked - firstPsn(position) & Psn.MASK;
                return;
            }
        }
        current = started;
        cursor = 0;
    }
}
