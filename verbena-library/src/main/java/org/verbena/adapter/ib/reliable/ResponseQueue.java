package org.verbena.adapter.ib.reliable;

import org.verbena.adapter.pair.PeerMessages;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.wire.ib.Psn;

/**
 * The peer's reads and atomics, in order: those that are to be answered, and those that were answered last, in case the peer asks
 * again. Only the requests that the peer asks for again are answered again, so a repeated request costs no more answers than the
 * first time.
 */
final class ResponseQueue {
    private final int capacity;
    private final boolean[] atomic;
    private final int[] firstPsn;
    private final int[] psnCount;
    private final int[] msn;
    private final int[] key;
    private final long[] address;
    /** Length of a read; for an atomic, the value found before it. */
    private final long[] value;

    private long added;
    /** All requests before this one have been answered at least once. */
    private long answered;
    /** The request that is answered next; it is before {@link #answered} while a request is answered again. */
    private long next;

    /** End of the requests that are answered again. */
    private long repeatEnd;

    private int cursor;
    private int streamStart;
    /** The reads that are to be answered, for the first time or again; each at its slot. */
    private final PeerMessages reads;

    ResponseQueue(int capacity, ProtectionTable memory) {
        this.reads = new PeerMessages(memory, capacity);
        this.capacity = capacity;
        this.atomic = new boolean[capacity];
        this.firstPsn = new int[capacity];
        this.psnCount = new int[capacity];
        this.msn = new int[capacity];
        this.key = new int[capacity];
        this.address = new long[capacity];
        this.value = new long[capacity];
    }

    boolean isFull() {
        return added - answered >= capacity;
    }

    boolean hasPending() {
        return next < added;
    }

    void addRead(int psn, int packets, int messages, long readAddress, int readKey, long length) {
        int slot = add(psn, packets, messages);
        atomic[slot] = false;
        address[slot] = readAddress;
        key[slot] = readKey;
        value[slot] = length;
        if (length > 0) {
            reads.begin(slot, readKey);
        }
    }

    void addAtomic(int psn, int messages, long original) {
        int slot = add(psn, 1, messages);
        atomic[slot] = true;
        value[slot] = original;
    }

    private int add(int psn, int packets, int messages) {
        int slot = slot(added++);
        reads.end(slot);
        if (added - next > capacity) {
            // The slot was to be answered again, and the peer has sent further requests since.
            goOn(added - capacity);
        }
        firstPsn[slot] = psn;
        psnCount[slot] = packets;
        msn[slot] = messages;
        return slot;
    }

    /**
     * The peer asks again for the answer that begins with this number.
     *
     * @return false when it is not kept, or the request differs from the first time
     */
    boolean goBack(int psn, boolean isAtomic, long readAddress, int mtu) {
        for (long i = added - 1; i >= Math.max(0, added - capacity); i--) {
            int slot = slot(i);
            int into = psn - firstPsn[slot] & Psn.MASK;
            if (into < psnCount[slot]) {
                boolean same =
                        atomic[slot] == isAtomic && (isAtomic || readAddress == address[slot] + (long) into * mtu);
                if (same) {
                    repeat(i, into);
                }
                return same;
            }
        }
        return false;
    }

    private void repeat(long index, int into) {
        boolean passed = index < next || (index == next && cursor > into);
        if (passed) {
            seek(index, into);
            repeatEnd = index + 1;
        } else if (index < answered) {
            repeatEnd = Math.max(repeatEnd, index + 1);
        }
        recount();
    }

    /** Has exactly the reads counted that are to be answered. */
    private void recount() {
        if (!reads.isCounting()) {
            return;
        }
        for (long i = Math.max(0, added - capacity); i < added; i++) {
            int slot = slot(i);
            boolean pending = i >= answered || (i >= next && i < repeatEnd);
            if (!pending) {
                reads.end(slot);
            } else if (!atomic[slot] && value[slot] > 0) {
                reads.begin(slot, key[slot]);
            }
        }
    }

    /** Nothing is answered any more. */
    void release() {
        reads.endAll();
    }

    /** Goes to the next request from this one on that is to be answered: again if asked for, else for the first time. */
    private void goOn(long index) {
        seek(index < answered && index >= repeatEnd ? answered : index, 0);
    }

    private void seek(long index, int packets) {
        next = index;
        cursor = packets;
        streamStart = packets;
    }

    /** Drops all requests that are to be answered. */
    void dropPending() {
        answered = added;
        seek(added, 0);
        recount();
    }

    /** Whether the pending answer has been given in full before. */
    boolean isRepeating() {
        return next < answered;
    }

    /** The pending answer is not given. */
    void skip() {
        goOn(next + 1);
        recount();
    }

    boolean isAtomic() {
        return atomic[slot(next)];
    }

    int psn() {
        return Psn.add(firstPsn[slot(next)], cursor);
    }

    int msn() {
        return msn[slot(next)];
    }

    int key() {
        return key[slot(next)];
    }

    long address() {
        return address[slot(next)];
    }

    /** Length of the read. */
    long length() {
        return value[slot(next)];
    }

    /** The value that the atomic found. */
    long original() {
        return value[slot(next)];
    }

    /** Packets of the pending answer that have been sent. */
    int cursor() {
        return cursor;
    }

    boolean atStreamStart() {
        return cursor == streamStart;
    }

    boolean atLast() {
        return cursor == psnCount[slot(next)] - 1;
    }

    /** One more packet of the pending answer has been sent. */
    void advance() {
        cursor++;
        if (cursor == psnCount[slot(next)]) {
            answered = Math.max(answered, next + 1);
            goOn(next + 1);
            recount();
        }
    }

    private int slot(long index) {
        return (int) (index % capacity);
    }
}
