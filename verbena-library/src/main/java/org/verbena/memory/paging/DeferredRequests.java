package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;

/** Requests for pages that have as many pins as a page can have. They are retried when a pin may be free. Used inside a monitor. */
final class DeferredRequests {
    private final ArrayDeque<PageRequest> requests = new ArrayDeque<>();
    /** Number of requests that are to be retried. */
    private int retried;

    void add(PageRequest request) {
        requests.add(request);
    }

    /** Allows all requests to be retried once. */
    void allowRetry() {
        retried = requests.size();
    }

    /** Passes requests to the action, which may defer them again; true if some are left for the next turn. */
    boolean retry(TurnAllowance allowance, Consumer<PageRequest> action) {
        while (retried > 0 && allowance.trySpend()) {
            retried--;
            action.accept(requests.removeFirst());
        }
        return retried > 0;
    }

    /** Refuses all requests. */
    void refuse(Refusal reason) {
        List<PageRequest> refused = List.copyOf(requests);
        requests.clear();
        retried = 0;
        refused.forEach(request -> request.onRefused(reason));
    }
}
