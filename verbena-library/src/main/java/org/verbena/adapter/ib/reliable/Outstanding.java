package org.verbena.adapter.ib.reliable;

import org.verbena.Operation;
import org.verbena.adapter.pair.SendQueue;
import org.verbena.queue.Ring;
import org.verbena.wire.ib.Psn;

/**
 * The work requests of a send ring between posting and retirement, and the sequence numbers they have.
 *
 * <p>Ring positions: {@code retired ≤ current ≤ started ≤ tail}, where started is behind the newest request that has
 * sequence numbers. PSNs: all before {@code unacked} are answered, {@code next} leaves next, {@code fresh} was
 * never sent. Going back moves current and next; numbers once given stay. {@code reached} is behind all packets that were sent and
 * do not count as lost.
 */
final class Outstanding {
    private final SendQueue queue;
    private final int[] firstPsn;
    private final int[] psnCount;
    /** Copies of fields of the slots, made when the request was judged: a consumer may overwrite a slot at any time. */
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
    private int reached;

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

    /** A connection begins with this sequence number; requests may have been posted before. */
    void begin(int psn) {
        unacked = psn;
        next = psn;
        fresh = psn;
        reached = psn;
    }

    /** Takes all requests for not started. */
    void forgetStarted() {
        started = queue.retired();
        current = queue.retired();
        cursor = 0;
        unacked = fresh;
        next = fresh;
        reached = fresh;
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

    /** Number of PSNs that the current request has used. */
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

    /** Operation of a request, as it was when the request was started. */
    Operation operation(long position) {
        return operation[(int) position & mask];
    }

    /** Bytes of the message of a request. */
    long length(long position) {
        return length[(int) position & mask];
    }

    /** Whether the data of a request is in its slot. */
    boolean inline(long position) {
        return inline[(int) position & mask];
    }

    boolean hasUnposted() {
        return current - queue.retired() < queue.posted();
    }

    /** Whether a request has sequence numbers, or was done without. */
    boolean isStarted(long position) {
        return position < started;
    }

    boolean anyStarted() {
        return queue.retired() < started;
    }

    /** Number of packets and requested answers that are on their way. */
    int inFlight() {
        return Math.max(0, Psn.distance(unacked, next));
    }

    /** Gives the current request its sequence numbers, and copies the fields of its slot. */
    void start(int count, Operation what, long bytes, boolean inSlot) {
        int slot = (int) current & mask;
        operation[slot] = what;
        length[slot] = bytes;
        inline[slot] = inSlot;
        firstPsn[slot] = fresh;
        psnCount[slot] = count;
        started = current + 1;
    }

    /** The current request has used this number of further PSNs. */
    void advance(int psns) {
        cursor += psns;
        next = Psn.add(next, psns);
        if (Psn.distance(fresh, next) > 0) {
            fresh = next;
        }
        if (Psn.distance(reached, next) > 0) {
            reached = next;
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

    /** Whether the packet that leaves next has been sent before. */
    boolean resending() {
        return next != fresh;
    }

    /** All numbers before {@code psn} are answered. */
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

    /** Number behind all packets that were sent and do not count as lost. */
    int reachedPsn() {
        return Psn.distance(unacked, reached) > 0 ? reached : unacked;
    }

    /** All packets without an answer count as lost: the packet with the number {@code unacked} leaves next. */
    void goBack() {
        reached = unacked;
        seek(unacked);
    }

    /** The packet with the number {@code unacked} leaves next, to have the peer answer; none counts as lost. */
    void ask() {
        seek(unacked);
    }

    /** No packet that does not count as lost is sent again. */
    void goOn() {
        seek(reachedPsn());
    }

    private void seek(int psn) {
        next = psn;
        for (long position = queue.retired(); position < started; position++) {
            if (Psn.isWithin(psn, firstPsn(position), psnCount(position))) {
                current = position;
                cursor = psn - firstPsn(position) & Psn.MASK;
                return;
            }
        }
        current = started;
        cursor = 0;
    }
}
