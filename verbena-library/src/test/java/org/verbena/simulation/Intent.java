package org.verbena.simulation;

import org.verbena.Operation;

/** What a requester asked for, in the model's terms: offsets in zones, not addresses and keys. */
sealed interface Intent {
    Lane lane();

    long id();

    Operation operation();

    boolean signalled();

    /** Bytes of the message. */
    long length();

    /** Whether it names the lane's window, not its region. */
    boolean throughWindow();

    /**
     * A send or a write of some kind.
     *
     * @param source pieces of the lane's source zone
     * @param targetOffset where a write goes in the lane's target zone
     * @param argument immediate data, or the key to invalidate
     */
    record Message(
            Lane lane,
            long id,
            Operation operation,
            boolean signalled,
            boolean throughWindow,
            Pieces source,
            long targetOffset,
            int argument)
            implements Intent {
        @Override
        public long length() {
            return source.total();
        }

        boolean writes() {
            return operation == Operation.WRITE || operation == Operation.WRITE_WITH_IMMEDIATE;
        }
    }

    /**
     * A read.
     *
     * @param landing pieces of the lane's landing zone
     * @param targetOffset where the data is in the lane's target zone
     */
    record Read(Lane lane, long id, boolean signalled, boolean throughWindow, Pieces landing, long targetOffset)
            implements Intent {
        @Override
        public Operation operation() {
            return Operation.READ;
        }

        @Override
        public long length() {
            return landing.total();
        }

        boolean overlaps(long offset, long bytes) {
            return offset < targetOffset + length() && targetOffset < offset + bytes;
        }
    }

    /**
     * A fetch-and-add or compare-and-swap.
     *
     * @param landing where the original value goes in the lane's landing zone
     * @param shared whether other lanes use the cell as well
     * @param cell offset in the zone of cells
     * @param first addend, or expected value
     * @param second replacement
     */
    record Atomic(
            Lane lane,
            long id,
            Operation operation,
            boolean signalled,
            Pieces landing,
            boolean shared,
            long cell,
            long first,
            long second)
            implements Intent {
        @Override
        public long length() {
            return 8;
        }

        @Override
        public boolean throughWindow() {
            return false;
        }

        Zone cells() {
            return shared ? lane.sharedCells() : lane.cells();
        }
    }

    /** Something done at the requester itself to the window of the lane in the other direction. */
    record Local(Lane lane, long id, Operation operation) implements Intent {
        @Override
        public boolean signalled() {
            return true;
        }

        @Override
        public long length() {
            return 0;
        }

        @Override
        public boolean throughWindow() {
            return false;
        }
    }
}
