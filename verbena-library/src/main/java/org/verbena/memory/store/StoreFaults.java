package org.verbena.memory.store;

/**
 * The failures of a {@link SimulatedPageStore}. Immutable: each method returns a copy with one failure more; start from {@link #NONE}.
 *
 * @param reads failures of reads
 * @param writes failures of writes
 * @param room number of slots that may hold a page at a time
 */
public record StoreFaults(Direction reads, Direction writes, long room) {
    /**
     * The failures of transfers of one kind. All counts begin at 1 when the failures are injected; 0 means never.
     *
     * @param errorAt number of the page at which the medium fails
     * @param errorRate probability that the medium fails at any other page
     * @param stallAt number of the transfer that does not end before {@link SimulatedPageStore#resume}
     */
    public record Direction(long errorAt, double errorRate, long stallAt) {
        static final Direction NONE = new Direction(0, 0, 0);

        /** @throws IllegalArgumentException if a count is negative or the rate is no probability */
        public Direction {
            if (errorAt < 0 || stallAt < 0) {
                throw new IllegalArgumentException(
                        "counts begin at 1; found error at " + errorAt + ", stall at " + stallAt);
            }
            if (!(errorRate >= 0 && errorRate <= 1)) {
                throw new IllegalArgumentException("error rate " + errorRate + " found, 0 … 1 expected");
            }
        }

        Direction withErrorAt(long page) {
            return new Direction(page, errorRate, stallAt);
        }

        Direction withErrorRate(double rate) {
            return new Direction(errorAt, rate, stallAt);
        }

        Direction withStallAt(long transfer) {
            return new Direction(errorAt, errorRate, transfer);
        }
    }

    /** No failures. */
    public static final StoreFaults NONE = new StoreFaults(Direction.NONE, Direction.NONE, Long.MAX_VALUE);

    /** @throws IllegalArgumentException if the room is negative */
    public StoreFaults {
        if (room < 0) {
            throw new IllegalArgumentException("room for " + room + " slots found, at least 0 expected");
        }
    }

    /** The read of one page fails, counted from the injection on. */
    public StoreFaults readErrorAt(long page) {
        return new StoreFaults(reads.withErrorAt(page), writes, room);
    }

    /** The write of one page fails, counted from the injection on. */
    public StoreFaults writeErrorAt(long page) {
        return new StoreFaults(reads, writes.withErrorAt(page), room);
    }

    /** The read of each page fails with this probability. */
    public StoreFaults readErrorRate(double rate) {
        return new StoreFaults(reads.withErrorRate(rate), writes, room);
    }

    /** The write of each page fails with this probability. */
    public StoreFaults writeErrorRate(double rate) {
        return new StoreFaults(reads, writes.withErrorRate(rate), room);
    }

    /** One read, counted from the injection on, does not end before {@link SimulatedPageStore#resume}. */
    public StoreFaults stallReadAt(long transfer) {
        return new StoreFaults(reads.withStallAt(transfer), writes, room);
    }

    /** One write, counted from the injection on, does not end before {@link SimulatedPageStore#resume}. */
    public StoreFaults stallWriteAt(long transfer) {
        return new StoreFaults(reads, writes.withStallAt(transfer), room);
    }

    /** The store is full when this number of slots hold a page. */
    public StoreFaults room(long slots) {
        return new StoreFaults(reads, writes, slots);
    }

    Direction of(Transfer.Kind kind) {
        return kind == Transfer.Kind.READ ? reads : writes;
    }
}
