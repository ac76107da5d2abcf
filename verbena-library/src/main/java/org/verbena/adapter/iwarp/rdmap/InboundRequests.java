package org.verbena.adapter.iwarp.rdmap;

/** Read requests and executed atomics of the peer that are not answered, the oldest first; the peer may have as many as was agreed. */
final class InboundRequests {
    private final boolean[] atomics;
    private final int[] sinkKeys;
    private final long[] sinkOffsets;
    private final int[] sourceKeys;
    private final long[] sourceOffsets;
    private final long[] lengths;
    private int first;
    private int count;
    private long cursor;

    InboundRequests(int max) {
        atomics = new boolean[max];
        sinkKeys = new int[max];
        sinkOffsets = new long[max];
        sourceKeys = new int[max];
        sourceOffsets = new long[max];
        lengths = new long[max];
    }

    boolean isFull() {
        return count == atomics.length;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void addRead(int sinkKey, long sinkOffset, int sourceKey, long sourceOffset, long length) {
        int at = add(false);
        sinkKeys[at] = sinkKey;
        sinkOffsets[at] = sinkOffset;
        sourceKeys[at] = sourceKey;
        sourceOffsets[at] = sourceOffset;
        lengths[at] = length;
    }

    /** An atomic that was executed: its answer needs the number of the request and the value that was found. */
    void addAtomic(int identifier, long original) {
        int at = add(true);
        sinkKeys[at] = identifier;
        sinkOffsets[at] = original;
    }

    private int add(boolean atomic) {
        int at = (first + count) % atomics.length;
        atomics[at] = atomic;
        count++;
        return at;
    }

    boolean isAtomic() {
        return atomics[first];
    }

    int identifier() {
        return sinkKeys[first];
    }

    long original() {
        return sinkOffsets[first];
    }

    int sinkKey() {
        return sinkKeys[first];
    }

    /** Where the next bytes of the answer go. */
    long sinkOffset() {
        return sinkOffsets[first] + cursor;
    }

    int sourceKey() {
        return sourceKeys[first];
    }

    /** Where the next bytes of the answer come from. */
    long sourceOffset() {
        return sourceOffsets[first] + cursor;
    }

    /** Bytes of the oldest read that are not sent. */
    long remaining() {
        return lengths[first] - cursor;
    }

    /** Bytes of the oldest answer were sent. */
    void onSent(int length) {
        cursor += length;
    }

    /** The oldest request is answered. */
    void remove() {
        first = (first + 1) % atomics.length;
        count--;
        cursor = 0;
    }
}
