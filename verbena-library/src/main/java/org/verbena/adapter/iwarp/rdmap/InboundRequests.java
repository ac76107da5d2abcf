package org.verbena.adapter.iwarp.rdmap;

import org.verbena.adapter.pair.PeerMessages;
import org.verbena.memory.protection.ProtectionTable;

/** Read requests and executed atomics of the peer that are not answered, the oldest first; the peer may have as many as was agreed. */
final class InboundRequests {
    private static final long[] NO_LONGS = new long[0];
    private static final int[] NO_INTS = new int[0];
    private static final boolean[] NO_BOOLEANS = new boolean[0];

    private final int max;
    /** These arrays are made with the first request: an idle connection has none. */
    private boolean[] atomics = NO_BOOLEANS;

    private int[] sinkKeys = NO_INTS;
    private long[] sinkOffsets = NO_LONGS;
    private int[] sourceKeys = NO_INTS;
    private long[] sourceOffsets = NO_LONGS;
    private long[] lengths = NO_LONGS;
    private int first;
    private int count;
    private long cursor;
    private final PeerMessages reads;

    InboundRequests(int max, ProtectionTable memory) {
        this.max = max;
        this.reads = new PeerMessages(memory, max);
    }

    /** No request is answered any more. */
    void stop() {
        reads.endAll();
    }

    private void makeRoom() {
        atomics = new boolean[max];
        sinkKeys = new int[max];
        sinkOffsets = new long[max];
        sourceKeys = new int[max];
        sourceOffsets = new long[max];
        lengths = new long[max];
    }

    boolean isFull() {
        return count == max;
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
        if (length > 0) {
            reads.begin(at, sourceKey);
        }
    }

    /** An atomic that was executed: its answer needs the number of the request and the value that was found. */
    void addAtomic(int identifier, long original) {
        int at = add(true);
        sinkKeys[at] = identifier;
        sinkOffsets[at] = original;
    }

    private int add(boolean atomic) {
        if (atomics.length == 0) {
            makeRoom();
        }
        int at = (first + count) % max;
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
        reads.end(first);
        first = (first + 1) % max;
        count--;
        cursor = 0;
    }
}
