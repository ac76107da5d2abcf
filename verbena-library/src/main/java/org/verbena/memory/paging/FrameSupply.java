package org.verbena.memory.paging;

/** The source of a pager's frames. A pager that is to have fewer frames gives some back. Any thread. */
public interface FrameSupply {
    /** One more than the highest frame of this supply, now or later. */
    int limit();

    /** Takes a free frame; {@link Driver#NONE} if none is free. */
    int take();

    /** Gives a frame back. */
    void giveBack(int frame);

    /** Number of free frames. */
    int free();
}
