package org.verbena.memory.paging;

/** Waits for a page. Told once, by any thread, perhaps before the call that asked returns. Must not block. */
public interface Waiter {
    /** The page is there and has a pin that is the waiter's to let go. */
    void onPinned(Stage stage, long page);

    /** The page cannot be had. */
    void onRefused(Stage stage, long page, Refusal reason);

    /** Whether it waits no more and need not be told. */
    default boolean isGone() {
        return false;
    }
}
