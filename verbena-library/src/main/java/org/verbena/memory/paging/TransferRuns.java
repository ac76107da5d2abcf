package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.verbena.memory.store.Transfer;

/** Cuts a sorted list of pages into runs, each of which one transfer can move. */
final class TransferRuns {
    private TransferRuns() {}

    /**
     * Passes each run to the action, in order. A run has at most {@link Transfer#PAGES_MAX} pages.
     *
     * @param follows whether its first argument can be in the transfer of its second, directly behind it
     */
    static <T> void forEach(List<T> sorted, BiPredicate<T, T> follows, Consumer<List<T>> action) {
        List<T> run = new ArrayList<>();
        for (T page : sorted) {
            if (!run.isEmpty() && (run.size() == Transfer.PAGES_MAX || !follows.test(page, run.getLast()))) {
                action.accept(run);
                run = new ArrayList<>();
            }
            run.add(page);
        }
        if (!run.isEmpty()) {
            action.accept(run);
        }
    }
}
