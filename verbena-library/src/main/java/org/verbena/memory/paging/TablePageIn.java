package org.verbena.memory.paging;

import org.jspecify.annotations.Nullable;
import org.verbena.FaultedAccess;

/** A page-in of a {@link TableDriver}: a page that the owner of the table is asked to map. */
public final class TablePageIn extends PageIn {
    /** Requests that can wait for one page; a further one is refused. */
    static final int REQUESTS_MAX = PageWord.PINS_MAX;

    private static final int PRUNE_MIN = 16;

    private final boolean ahead;
    /** The owner of the table reads these two on any thread. */
    private volatile boolean changes;

    private volatile @Nullable FaultedAccess origin;
    private Runnable onWrite = () -> {};
    private boolean told;
    /** Number of requests at which abandoned requests are removed. */
    private int pruneAt = PRUNE_MIN;

    TablePageIn(Stage stage, long page, boolean ahead) {
        super(stage, page);
        this.ahead = ahead;
    }

    /** Whether one of the requests writes to the page. Becomes true when the first of these joins. Any thread. */
    public boolean changes() {
        return changes;
    }

    /** The first access of an adapter among the requests; null if there is none. Any thread. */
    public @Nullable FaultedAccess origin() {
        return origin;
    }

    /** Sets the action that runs when the first request that writes joins. It runs inside the monitor; it only passes the news on. */
    public void onWrite(Runnable action) {
        onWrite = action;
    }

    @Override
    void add(PageRequest request) {
        super.add(request);
        if (origin == null) {
            origin = request.listener().origin();
        }
        if (!changes && request.access() != Access.READ) {
            changes = true;
            onWrite.run();
        }
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
