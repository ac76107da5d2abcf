package org.verbena.services.push;

/** Requests that were posted to a send queue and are not known to be done, in order. */
final class SendLog {
    private final int[] tags;
    private final int capacity;
    private long posted;
    private long done;

    SendLog(int capacity) {
        this.capacity = capacity;
        this.tags = new int[Integer.highestOneBit(Math.max(1, capacity * 2 - 1))];
    }

    int capacity() {
        return capacity;
    }

    boolean isFull() {
        return posted - done >= capacity;
    }

    boolean isEmpty() {
        return posted == done;
    }

    int room() {
        return (int) (capacity - (posted - done));
    }

    /** Adds a request; its id. */
    long add(int tag) {
        tags[(int) posted & (tags.length - 1)] = tag;
        return posted++;
    }

    /** Whether the request with this id has been removed, or was never added. */
    boolean isDone(long id) {
        return id < done || id >= posted;
    }

    /** Removes the oldest request; its tag. */
    int remove() {
        return tags[(int) done++ & (tags.length - 1)];
    }
}
