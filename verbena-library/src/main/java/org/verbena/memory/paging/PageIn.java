package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.List;

/**
 * One page on its way into a frame, and the page requests that are answered when it arrives. At most one page-in exists for a
 * page. Used inside the monitor of its driver.
 */
public abstract sealed class PageIn permits StorePageIn, TablePageIn {
    private final Stage stage;
    private final long page;
    private final List<PageRequest> requests = new ArrayList<>(1);

    PageIn(Stage stage, long page) {
        this.stage = stage;
        this.page = page;
    }

    /** The stage that translates the page. */
    public final Stage stage() {
        return stage;
    }

    /** Number of the page within the stage. */
    public final long page() {
        return page;
    }

    /** The requests that wait for the page. */
    final List<PageRequest> requests() {
        return requests;
    }

    /** Whether no request waits for the page: it is prefetched. */
    final boolean isUnrequested() {
        return requests.isEmpty();
    }

    void add(PageRequest request) {
        requests.add(request);
    }
}
