package org.verbena.memory.paging;

/** The frames from zero to a limit: the physical pages of one guest. */
public final class NumberedFrames implements FrameSupply {
    private final int limit;
    private final FramePool pool;

    /** All frames are free at first. */
    public NumberedFrames(int limit) {
        this.limit = limit;
        this.pool = new FramePool(new int[limit]);
        for (int frame = limit - 1; frame >= 0; frame--) {
            pool.give(frame);
        }
    }

    @Override
    public int limit() {
        return limit;
    }

    @Override
    public int take() {
        return pool.take();
    }

    @Override
    public void giveBack(int frame) {
        pool.give(frame);
    }

    @Override
    public int free() {
        return pool.free();
    }
}
