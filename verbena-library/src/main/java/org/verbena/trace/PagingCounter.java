package org.verbena.trace;

/** The counters of a pager: of the host, or of one guest. */
public enum PagingCounter implements CounterName {
    FAULTS("page_faults", Unit.PAGES, "Pages wanted that were not in memory"),
    FAULTS_JOINED(
            "page_faults_joined", Unit.PAGES, "Pages wanted while they were being brought in for another request"),
    ZERO_FILLS("zero_fills", Unit.PAGES, "Pages of zeros that got a frame from the access itself"),
    OVERWRITES("overwrites", Unit.PAGES, "Pages not read from the store because all their bytes were overwritten"),
    PAGES_IN("pages_in", Unit.PAGES, "Pages read from the store"),
    PAGES_PREFETCHED(
            "pages_prefetched",
            Unit.PAGES,
            "Pages asked of the store, or of the owner of the memory, before a request wanted them"),
    PAGES_OUT("pages_out", Unit.PAGES, "Pages written to the store"),
    EVICTIONS("evictions", Unit.PAGES, "Pages that lost their frame"),
    RESCUES("rescues", Unit.PAGES, "Pages kept because they were touched while they were being written out"),
    FRAME_WAITS("frame_waits", Unit.EVENTS, "Times that a page waited because no frame was free"),
    STORE_READ_ERRORS("store_read_errors", Unit.PAGES, "Pages that the store could not read"),
    STORE_WRITE_ERRORS("store_write_errors", Unit.PAGES, "Pages that the store could not write"),
    STORE_FULL("store_full", Unit.PAGES, "Pages that the store had no room for"),
    PAGES_CORRUPT(
            "pages_corrupt", Unit.PAGES, "Pages that came back from the store with other bytes than were written"),
    LEASES("leases", Unit.PAGES, "Pages kept for a request that waited for them"),
    LEASE_WAITS("lease_waits", Unit.EVENTS, "Times that a fault waited because too many pages were leased"),
    REGIONS_OUT("regions_out", Unit.REGIONS, "Regions swapped out as a whole"),
    REGIONS_IN("regions_in", Unit.REGIONS, "Regions brought back as a whole");

    @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
    private final Text text;

    PagingCounter(String label, Unit unit, String help) {
        this.text = new Text(label, unit, help);
    }

    @Override
    public Text text() {
        return text;
    }
}
