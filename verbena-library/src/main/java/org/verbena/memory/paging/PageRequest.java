package org.verbena.memory.paging;

import org.jspecify.annotations.Nullable;
import org.verbena.FaultedAccess;

/**
 * A request to bring one page in and to pin it at its stage. The listener gets exactly one answer.
 *
 * @param stage the stage that translates the page
 * @param page number of the page within the stage
 * @param access the use of the page once it is pinned
 * @param listener gets the answer
 */
public record PageRequest(Stage stage, long page, Access access, Listener listener) {
    /**
     * Gets the answer to a page request. One of the {@code on…} methods is called, once, on any thread, perhaps before the call
     * that made the request returns. It must not block.
     */
    public interface Listener {
        /** The page is in a frame and has one pin more. The listener unpins it in the end. */
        void onPinned(Stage stage, long page);

        /** The page cannot be brought in. */
        void onRefused(Stage stage, long page, Refusal reason);

        /**
         * Answer to a request with {@link Access#TO_OVERWRITE}: the page stays where it is and is not pinned, but a frame is
         * reserved for the access that overwrites it.
         *
         * @param giveBack ends the reservation; the listener runs it in the end, on any thread, whether the frame was used or not
         */
        default void onFrameReserved(Stage stage, long page, Runnable giveBack) {
            throw new IllegalStateException("a frame was reserved for page " + page + ", which was to be pinned");
        }

        /** Whether the listener needs no answer any more. */
        default boolean isAbandoned() {
            return false;
        }

        /** The access of an adapter that needs the page; null if it is another access, or is not known. */
        default @Nullable FaultedAccess origin() {
            return null;
        }
    }

    /** Tells the listener that the page is pinned. */
    void onPinned() {
        listener.onPinned(stage, page);
    }

    /** Tells the listener that the page cannot be brought in. */
    void onRefused(Refusal reason) {
        listener.onRefused(stage, page, reason);
    }
}
