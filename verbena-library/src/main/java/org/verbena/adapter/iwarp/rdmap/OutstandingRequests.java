package org.verbena.adapter.iwarp.rdmap;

/**
 * Read and atomic requests on the wire, the oldest first; at most as many as the peer takes. Answers come in the order of the requests, so
 * only the oldest can be answered. A ready message that is a read takes a place before all of them, and belongs to no request of the
 * consumer.
 */
final class OutstandingRequests {
    private static final long[] NO_LONGS = new long[0];
    private static final int[] NO_INTS = new int[0];
    private static final boolean[] NO_BOOLEANS = new boolean[0];

    private final int max;
    /** These arrays are made with the first request: an idle connection has none. */
    private long[] positions = NO_LONGS;

    private int[] keys = NO_INTS;
    private long[] addresses = NO_LONGS;
    private long[] remaining = NO_LONGS;
    private boolean[] atomics = NO_BOOLEANS;
    private int[] identifiers = NO_INTS;
    private int first;
    private int count;
    private int nextIdentifier;
    /** The ready message is not answered. */
    private boolean readyAwaited;

    OutstandingRequests(int max) {
        this.max = max;
    }

    private void makeRoom() {
        positions = new long[max];
        keys = new int[max];
        addresses = new long[max];
        remaining = new long[max];
        atomics = new boolean[max];
        identifiers = new int[max];
    }

    boolean isFull() {
        return count + (readyAwaited ? 1 : 0) == max;
    }

    /** Whether no request of the consumer is unanswered. */
    boolean isEmpty() {
        return count == 0;
    }

    /** Whether a ready message that is a read is not answered; its answer comes before all others. */
    boolean isReadyAwaited() {
        return readyAwaited;
    }

    /** A ready message that is a read was sent, or is answered. */
    void readyAwaited(boolean awaited) {
        readyAwaited = awaited;
    }

    /** A read request was sent; its data go to this local memory. */
    void addRead(long position, int key, long address, long length) {
        int at = add(position, false);
        keys[at] = key;
        addresses[at] = address;
        remaining[at] = length;
    }

    /** An atomic request was sent, with {@link #nextIdentifier}. */
    void addAtomic(long position) {
        int at = add(position, true);
        remaining[at] = 0;
        identifiers[at] = nextIdentifier++;
    }

    private int add(long position, boolean atomic) {
        if (positions.length == 0) {
            makeRoom();
        }
        int at = (first + count) % max;
        positions[at] = position;
        atomics[at] = atomic;
        count++;
        return at;
    }

    /** The number that the next atomic request has. */
    int nextIdentifier() {
        return nextIdentifier;
    }

    /** The number that the answer to the oldest atomic request has. */
    int identifier() {
        return identifiers[first];
    }

    /** Position of the oldest request in the send queue. */
    long position() {
        return positions[first];
    }

    boolean isAtomic() {
        return atomics[first];
    }

    int key() {
        return keys[first];
    }

    /** Where the next bytes of the oldest read go. */
    long address() {
        return addresses[first];
    }

    /** Bytes of the oldest read that have not arrived. */
    long remaining() {
        return remaining[first];
    }

    /** Whether data of a read go to this memory and have not arrived in their turn. */
    boolean isAwaited(int key, long address, int length) {
        for (int i = 0; i < count; i++) {
            int at = (first + i) % max;
            long into = address - addresses[at];
            if (!atomics[at] && keys[at] == key && into >= 0 && length <= remaining[at] - into) {
                return true;
            }
        }
        return false;
    }

    /** Bytes of the oldest read have arrived. */
    void onPlaced(int length) {
        addresses[first] += length;
        remaining[first] -= length;
    }

    /** The oldest request is answered. */
    void remove() {
        first = (first + 1) % max;
        count--;
    }

    void clear() {
        count = 0;
        readyAwaited = false;
    }
}
