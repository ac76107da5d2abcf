package org.verbena.memory.paging;

/**
 * Which frame loses its page next. Called inside a pager's monitor only. It is told of a frame when it gets a page, and
 * forgets it when it chooses it.
 */
public interface EvictionPolicy {
    /** What a policy may ask of a frame. */
    interface Residents {
        /** Whether the frame can't lose its page now. */
        boolean isPinned(int frame);

        /** Whether the page was touched since this was last asked. */
        boolean takeReferenced(int frame);

        /** Names the page in the frame; the same page has the same name when it comes again. */
        long page(int frame);
    }

    /** A frame has a page. */
    void onInstalled(int frame, long page);

    /** A frame has lost its page without being chosen. */
    void onRemoved(int frame);

    /** A frame chosen before keeps its page after all. */
    void onKept(int frame);

    /** Looks a policy takes at one choice, at most: who asks may be an engine with packets waiting. */
    int LOOKS_MAX = 64;

    /** Chooses a frame and forgets it; {@link Driver#NONE} when {@link #LOOKS_MAX} looks found none. Asked again it looks further. */
    int choose(Residents residents);

    /** Frames it knows. */
    int size();

    /** Looks that come by each frame once. */
    default int round() {
        return size();
    }

    /** Bytes it takes for a frame, at most. */
    int bytesPerFrame();

    /** Bytes it takes now, for so many frames. */
    default long bytes(int frames) {
        return (long) frames * bytesPerFrame();
    }

    /** For people. */
    String name();
}
