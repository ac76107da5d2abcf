package org.verbena.memory.paging;

/** A page-in of a {@link TableDriver}: a page that the owner of the table is asked to map. */
public final class TablePageIn extends PageIn {
    /** Requests that can wait for one page; a further one is refused. */
    static final int REQUESTS_MAX = PageWord.PINS_MAX;

    private static final int PRUNE_MIN = 16;

    private final boolean changes;
    private final boolean ahead;
    private boolean told;
    /** Number of requests at which abandoned requests are removed. */
    private int pruneAt = PRUNE_MIN;

    TablePageIn(Stage stage, long page, boolean changes, boolean ahead) {
        super(stage, page);
        this.changes = changes;
        this.ahead = ahead;
    }

    /** Whether the first request writes to the page. */
    public boolean changes() {
        return changes;
    }

    /** Whether the page-in began as a prefetch, before the first request. */
    public boolean isAhead() {
        return ahead;
    }

    /** Whether the owner of the table has been asked. */
    boolean isTold() {
        return told;
    }

    void tell() {
        told = true;
    }

    /**
     * Whether no further request can wait. An owner that never answers leaves requests behind that their listeners abandon and
     * make again, so abandoned requests are removed first.
     */
    boolean isFull() {
        if (requests().size() >= pruneAt) {
            requests().removeIf(request -> request.listener().isAbandoned());
            pruneAt = Math.min(REQUESTS_MAX, Math.max(PRUNE_MIN, 2 * requests().size()));
        }
        return requests().size() >= REQUESTS_MAX;
    }

    /** Refuses all requests. */
    void refuse(Refusal reason) {
        requests().forEach(request -> request.onRefused(reason));
    }
}
