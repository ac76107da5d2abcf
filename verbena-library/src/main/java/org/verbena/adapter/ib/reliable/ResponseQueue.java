package org.verbena.adapter.ib.reliable;

import org.verbena.wire.ib.Psn;

/**
 * Reads and atomics of the peer's, in order: those still to be answered, and behind them those answered last, kept in
 * case the peer asks again. What is asked for again is answered again, and nothing else that was answered: a question
 * costs no more answers the second time than the first.
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
    /** Answered at least once: everything before. */
    private long answered;
    /** To be answered next; before {@link #answered} while something is answered again. */
    private long next;

    /** While something is answered again: what is asked for again ends here. */
    private long repeatEnd;

    private int cursor;
    private int streamStart;

    ResponseQueue(int capacity) {
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
    }

    void addAtomic(int psn, int messages, long original) {
        int slot = add(psn, 1, messages);
        atomic[slot] = true;
        value[slot] = original;
    }

    private int add(int psn, int packets, int messages) {
        int slot = slot(added++);
        if (added - next > capacity) {
            // The slot was to be answered again; the peer has moved on since.
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
     * @return false when it is not kept, or the question differs from the first time
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
    }

    /** Goes to what is to be answered from this one on: again as far as asked for, then for the first time. */
    private void goOn(long index) {
        seek(index < answered && index >= repeatEnd ? answered : index, 0);
    }

    private void seek(long index, int packets) {
        next = index;
        cursor = packets;
        streamStart = packets;
    }

    /** Nothing is to be answered any more. */
    void dropPending() {
        answered = added;
        seek(added, 0);
    }

    /** Whether the pending answer has been given in full before. */
    boolean isRepeating() {
        return next < answered;
    }

    /** The pending answer is not given. */
    void skip() {
        goOn(next + 1);
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

    /** The value an atomic found. */
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
        }
    }

    private int slot(long index) {
        return (int) (index % capacity);
    }
}
