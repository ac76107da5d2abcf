package org.verbena.memory.store;

import java.util.zip.CRC32C;

/** A transfer under way in a {@link SimulatedPageStore}. */
final class SimulatedFlight {
    /** The time at which a stalled transfer ends. */
    static final long NEVER = Long.MAX_VALUE;

    final Transfer transfer;
    private final boolean stalls;
    /** Checksums of the pages to be written, taken at submission. */
    final int[] checksums;

    private long number;
    long dueNs = NEVER;

    SimulatedFlight(Transfer transfer, boolean stalls, CRC32C crc) {
        this.transfer = transfer;
        this.stalls = stalls;
        this.checksums = new int[transfer.kind() == Transfer.Kind.WRITE ? transfer.pages() : 0];
        for (int page = 0; page < checksums.length; page++) {
            checksums[page] = SlotBook.checksum(crc, transfer.page(page));
        }
    }

    /** The store works at the transfer from now on. Of transfers due at the same time, the one started first ends first. */
    void start(long startNumber, long endNs) {
        number = startNumber;
        dueNs = stalls ? NEVER : endNs;
    }

    int compareByEnd(SimulatedFlight other) {
        int byTime = Long.compare(dueNs, other.dueNs);
        return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
}
