package org.verbena.memory.paging;

/**
 * Chooses the frame that loses its page next. Called inside the monitor of a pager only. A policy knows a frame from the moment it
 * gets a page until the policy chooses it.
 */
public interface EvictionPolicy {
    /** What a policy can ask about a frame. */
    interface Residents {
        /** Whether the frame cannot lose its page now. */
        boolean isPinned(int frame);

        /** Whether the page in the frame was touched since the last call. */
        boolean takeReferenced(int frame);

        /** Name of the page in the frame. A page keeps its name while it is away. */
        long page(int frame);
    }

    /** A frame has got a page. */
    void onInstalled(int frame, long page);

    /** A frame has lost its page without being chosen. */
    void onRemoved(int frame);

    /** A frame that was chosen keeps its page. */
    void onKept(int frame);

    /** Frames that one choice looks at, at most: the caller may be an engine's thread with packets waiting. */
    int LOOKS_MAX = 64;

    /** Chooses a frame and forgets it; {@link Driver#NONE} if {@link #LOOKS_MAX} looks found none. The next call looks further. */
    int choose(Residents residents);

    /** Number of frames the policy knows. */
    int size();

    /** Number of looks after which each frame has been looked at once. */
    default int round() {
        return size();
    }

    /** Bytes the policy takes for each frame, at most. */
    int bytesPerFrame();

    /** Bytes the policy takes now for this number of frames. */
    default long bytes(int frames) {
        return (long) frames * bytesPerFrame();
    }

    /** Name to be shown. */
    String name();
}
