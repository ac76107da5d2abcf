package org.verbena.memory.paging;

/** Where a pager has its frames from, and gives them back to when it is told to do with fewer. Any thread. */
public interface FrameSupply {
    /** One more than the highest frame there can ever be. */
    int limit();

    /** A frame nobody has; {@link Driver#NONE} if there is none. */
    int take();

    /** A frame is not wanted any more. */
    void giveBack(int frame);

    /** Frames nobody has. */
    int free();
}
