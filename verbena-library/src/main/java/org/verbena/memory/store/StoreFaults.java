package org.verbena.memory.store;

/**
 * What goes wrong in a {@link SimulatedPageStore}. Start from {@link #NONE} and add.
 *
 * @param reads what goes wrong with reads
 * @param writes what goes wrong with writes
 * @param room slots that may hold something at one time
 */
public record StoreFaults(Direction reads, Direction writes, long room) {
    /**
     * What goes wrong with transfers of one kind. All counts begin at 1 when the faults are injected; 0 is never.
     *
     * @param errorAt the page at which the medium fails
     * @param errorRate how likely the medium fails at any other page
     * @param stallAt the transfer that stays under way until it is let go
     */
    public record Direction(long errorAt, double errorRate, long stallAt) {
        static final Direction NONE = new Direction(0, 0, 0);

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

    /** Nothing goes wrong. */
    public static final StoreFaults NONE = new StoreFaults(Direction.NONE, Direction.NONE, Long.MAX_VALUE);

    public StoreFaults {
        if (room < 0) {
            throw new IllegalArgumentException("room for " + room + " slots found, at least 0 expected");
        }
    }

    /** The n-th page that is read from now on cannot be. */
    public StoreFaults readErrorAt(long page) {
        return new StoreFaults(reads.withErrorAt(page), writes, room);
    }

    /** The n-th page that is written from now on cannot be. */
    public StoreFaults writeErrorAt(long page) {
        return new StoreFaults(reads, writes.withErrorAt(page), room);
    }

    public StoreFaults readErrorRate(double rate) {
        return new StoreFaults(reads.withErrorRate(rate), writes, room);
    }

    public StoreFaults writeErrorRate(double rate) {
        return new StoreFaults(reads, writes.withErrorRate(rate), room);
    }

    /** The n-th read from now on does not end until {@link SimulatedPageStore#resume}. */
    public StoreFaults stallReadAt(long transfer) {
        return new StoreFaults(reads.withStallAt(transfer), writes, room);
    }

    /** The n-th write from now on does not end until {@link SimulatedPageStore#resume}. */
    public StoreFaults stallWriteAt(long transfer) {
        return new StoreFaults(reads, writes.withStallAt(transfer), room);
    }

    /** No slot is written that would be the next above this many. */
    public StoreFaults room(long slots) {
        return new StoreFaults(reads, writes, slots);
    }

    Direction of(Transfer.Kind kind) {
        return kind == Transfer.Kind.READ ? reads : writes;
    }
}
