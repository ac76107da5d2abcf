package org.verbena;

/**
 * A page fault of an adapter: one access that found pages missing. Immutable.
 *
 * @param number of the fault among those of its machine memory, in the order in which they began
 * @param adapter name of the adapter; key and queue pair are the adapter's
 * @param access the access. If it has several segments, the first one that misses a page
 * @param stage the stage of translation at which the first page was missing. 1: the table of the domain whose memory it is; 2: the
 *     table of a guest's physical memory, which is the host's
 * @param pages number of pages that the access needs, those present included
 */
public record PageFault(long number, String adapter, FaultedAccess access, int stage, int pages) {
    @Override
    public String toString() {
        return "page fault " + number + " of adapter " + adapter + ", stage " + stage + ", " + pages + " pages: "
                + access;
    }
}
