package org.verbena.memory.store;

import java.util.zip.CRC32C;

/** A transfer that a {@link SimulatedPageStore} has in hand. */
final class SimulatedFlight {
    /** When a stalled one ends. */
    static final long NEVER = Long.MAX_VALUE;

    final Transfer transfer;
    private final boolean stalls;
    /** Of the pages to be written, as they were when it was submitted. */
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

    /** The store works at it from now on. Of those due together the one that was started first ends first. */
    void start(long startNumber, long endNs) {
        number = startNumber;
        dueNs = stalls ? NEVER : endNs;
    }

    int compareByEnd(SimulatedFlight other) {
        int byTime = Long.compare(dueNs, other.dueNs);
        return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
}
