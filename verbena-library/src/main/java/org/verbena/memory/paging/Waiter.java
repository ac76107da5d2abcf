package org.verbena.memory.paging;

/** Waits for a page. Told once, by any thread, perhaps before the call that asked returns. Must not block. */
public interface Waiter {
    /** The page is there and has a pin that is the waiter's to let go. */
    void onPinned(Stage stage, long page);

    /** The page cannot be had. */
    void onRefused(Stage stage, long page, Refusal reason);

    /**
     * For {@link Access#TO_OVERWRITE}: the page is where it was and not pinned, but a frame is kept for whoever overwrites it. The
     * one who is told gives it back in the end, whether it was used or not; any thread.
     */
    default void onRoom(Stage stage, long page, Runnable giveBack) {
        throw new IllegalStateException("room for page " + page + " found, which was to be pinned");
    }

    /** Whether it waits no more and need not be told. */
    default boolean isGone() {
        return false;
    }
}
