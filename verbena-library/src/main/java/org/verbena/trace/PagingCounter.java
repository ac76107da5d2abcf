package org.verbena.trace;

/** What is counted where pages come and go. */
public enum PagingCounter {
    /** Pages asked for that were not there. */
    FAULTS("page_faults"),
    /** Pages asked for while somebody else was bringing them in already. */
    FAULTS_JOINED("page_faults_joined"),
    /** Pages of zeros given a frame by the access itself. */
    ZERO_FILLS("zero_fills"),
    /** Pages not brought in because all of them was overwritten. */
    OVERWRITES("overwrites"),
    /** Pages read from the store. */
    PAGES_IN("pages_in"),
    /** Of these, those nobody had asked for yet. */
    PAGES_PREFETCHED("pages_prefetched"),
    /** Pages written to the store. */
    PAGES_OUT("pages_out"),
    /** Frames taken from their pages. */
    EVICTIONS("evictions"),
    /** Pages touched while they were on their way out: kept. */
    RESCUES("rescues"),
    /** Times that a page waited because no frame was free. */
    FRAME_WAITS("frame_waits"),
    /** Pages the store could not read. */
    STORE_READ_ERRORS("store_read_errors"),
    /** Pages the store could not write. */
    STORE_WRITE_ERRORS("store_write_errors"),
    /** Pages the store had no room for. */
    STORE_FULL("store_full"),
    /** Pages that came back from the store other than they went. */
    PAGES_CORRUPT("pages_corrupt"),
    /** Pages kept for somebody who had waited for them. */
    LEASES("leases"),
    /** Faults that waited because too many pages were leased. */
    LEASE_WAITS("lease_waits"),
    /** Regions swapped out as a whole. */
    REGIONS_OUT("regions_out"),
    /** Regions brought back. */
    REGIONS_IN("regions_in");

    private final String label;

    PagingCounter(String label) {
        this.label = label;
    }

    /** The name tools print. */
    public String label() {
        return label;
    }
}
