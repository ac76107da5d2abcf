package org.verbena.memory.paging;

import java.util.HashSet;
import java.util.Set;

/**
 * Brings the frames of dirty pages into machine memory, so that the pages can be written out. Only a pager whose frames are pages
 * of a stage below has such frames. Used inside the monitor of its pager.
 */
final class FrameFetches {
    /**
     * A dirty page whose frame is not in machine memory.
     *
     * @param word the page's word when the fetch began
     */
    record Fetch(Stage stage, long page, long word, Cleaner.Client client) {
        int frame() {
            return PageWord.frame(word);
        }

        /** The page's word now. */
        long wordNow() {
            return stage.table().word(page);
        }

        /** Whether the page has been in its frame all the time since the fetch began. */
        boolean isStillThere() {
            return PageWord.isSameStay(word, wordNow());
        }

        private Place place() {
            return new Place(stage, page);
        }
    }

    /** Gets the end of each fetch, inside the monitor. */
    interface Listener {
        /** The frame is in machine memory and pinned there. */
        void onFetched(Fetch fetch);

        /** The frame cannot be brought into machine memory. */
        void onFetchRefused(Fetch fetch);
    }

    private record Place(Stage stage, long page) {}

    private final Pager pager;
    private final StageBelow below;
    private final Listener listener;
    private final Set<Place> fetching = new HashSet<>();

    FrameFetches(Pager pager, StageBelow below, Listener listener) {
        this.pager = pager;
        this.below = below;
        this.listener = listener;
    }

    /** Whether the frame of this page is being fetched. */
    boolean contains(Stage stage, long page) {
        return !fetching.isEmpty() && fetching.contains(new Place(stage, page));
    }

    void begin(Fetch fetch) {
        fetching.add(fetch.place());
        below.acquire(fetch.frame(), Access.READ, new PageRequest.Listener() {
            @Override
            public void onPinned(Stage stage, long frame) {
                end(() -> listener.onFetched(fetch));
            }

            @Override
            public void onRefused(Stage stage, long frame, Refusal reason) {
                end(() -> listener.onFetchRefused(fetch));
            }

            private void end(Runnable told) {
                pager.submit(() -> {
                    fetching.remove(fetch.place());
                    told.run();
                });
                pager.nudge();
            }
        });
    }
}
