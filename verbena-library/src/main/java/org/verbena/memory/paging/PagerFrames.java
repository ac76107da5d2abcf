package org.verbena.memory.paging;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The frames of one pager: which are free, which page is in each of the others, and who is to lose its own next. Taking a frame
 * and telling of a page put into it is for any thread; the rest is for the one inside the monitor.
 */
final class PagerFrames implements EvictionPolicy.Residents {
    /** Of the name of a page, the bits that number it within its stage: as many as number the slots of a store. */
    private static final int PAGE_BITS = 31;

    private static final long PAGE_MASK = (1L << PAGE_BITS) - 1;
    /** Stages there can be at a time; no page has the name zero. */
    private static final int STAGES_MAX = (1 << (Owners.BITS - PAGE_BITS)) - 1;

    private static final int TAKE_AT_ONCE = 64;
    /** For a frame: its owner, its link. */
    private static final int BYTES_PER_FRAME = Owners.BYTES + Integer.BYTES;

    private final FrameSupply supply;
    private final EvictionPolicy policy;
    private final FramePool pool;
    private final FramePool newcomers;
    private final Owners owners;
    private final StageList stages = new StageList(STAGES_MAX);
    private final AtomicInteger owed = new AtomicInteger();
    private final AtomicInteger had = new AtomicInteger();
    private final int[] stocking = new int[TAKE_AT_ONCE];

    PagerFrames(FrameSupply supply, EvictionPolicy policy) {
        this.supply = supply;
        this.policy = policy;
        // A frame is free or new, never both.
        int[] links = new int[supply.limit()];
        this.pool = new FramePool(links);
        this.newcomers = new FramePool(links);
        this.owners = new Owners(supply.limit());
    }

    EvictionPolicy policy() {
        return policy;
    }

    StageList stages() {
        return stages;
    }

    // --- any thread

    /** Frames that could be had without an eviction. */
    int free() {
        return Math.max(0, atHand() - owed.get());
    }

    private int atHand() {
        return pool.free() + supply.free();
    }

    /** Frames this pager has, free ones included. */
    int frames() {
        return had.get();
    }

    /** Bytes that are kept about frames. */
    long bytes() {
        return (long) owners.frames() * BYTES_PER_FRAME + policy.bytes(owners.frames());
    }

    int take() {
        int frame = pool.take();
        if (frame != FramePool.NONE) {
            return frame;
        }
        frame = supply.take();
        if (frame != FramePool.NONE) {
            had.getAndIncrement();
        }
        return frame;
    }

    void give(int frame) {
        pool.give(frame);
    }

    /** A frame got a page, which is pinned until this returns, or this is inside the monitor. */
    void onInstalled(Stage stage, long page, int frame) {
        owners.setNew(frame, name(stage, page));
        newcomers.give(frame);
    }

    static long name(Stage stage, long page) {
        return ((long) stage.number() + 1) << PAGE_BITS | page;
    }

    // --- inside the monitor

    Stage stage(long name) {
        return stages.get((int) (name >>> PAGE_BITS) - 1);
    }

    static long pageOf(long name) {
        return name & PAGE_MASK;
    }

    /**
     * Takes some frames at a time from the supply, so that accesses find them at hand; in such an order that pages touched one
     * after the other get neighbouring frames where the supply has them.
     */
    void stock() {
        int taken = 0;
        for (int left = TAKE_AT_ONCE - pool.free(); left > 0 && taken < TAKE_AT_ONCE && owed.get() == 0; left--) {
            int frame = supply.take();
            if (frame == FramePool.NONE) {
                break;
            }
            had.getAndIncrement();
            stocking[taken++] = frame;
        }
        while (taken > 0) {
            pool.give(stocking[--taken]);
        }
    }

    /** Tells the policy of frames that got a page. */
    void admitNewcomers(TurnAllowance allowance) {
        while (newcomers.free() > 0 && allowance.trySpend()) {
            int frame = newcomers.take();
            if (frame == FramePool.NONE) {
                return;
            }
            owners.setKnown(frame);
            policy.onInstalled(frame, page(frame));
        }
    }

    /** Whether the policy is still to be told of some. */
    boolean hasNewcomers() {
        return newcomers.free() > 0;
    }

    /** Whether the policy is still to be told of this one: as long it cannot lose its page. */
    boolean isNew(int frame) {
        return owners.isNew(frame);
    }

    int choose() {
        return policy.choose(this);
    }

    /** A frame has lost its page by choice. */
    void free(int frame) {
        owners.clear(frame);
        if (owed.get() > 0) {
            owed.getAndDecrement();
            giveBack(frame);
        } else {
            pool.give(frame);
        }
    }

    /** A frame that is not new, and whose page nobody had pinned, has lost it otherwise. */
    void freeUnchosen(int frame) {
        policy.onRemoved(frame);
        free(frame);
    }

    private void giveBack(int frame) {
        had.getAndDecrement();
        supply.giveBack(frame);
    }

    /** So many frames more are to go back to the supply: free ones at once, others as they become free. */
    void owe(int frames) {
        owed.addAndGet(frames);
    }

    /** Gives back what is owed, as far as frames are free. */
    void settle(TurnAllowance allowance) {
        while (owesFree() && allowance.trySpend()) {
            int frame = pool.take();
            if (frame == FramePool.NONE) {
                return;
            }
            owed.getAndDecrement();
            giveBack(frame);
        }
    }

    /** Whether something is owed and could be given back. */
    boolean owesFree() {
        return owed.get() > 0 && pool.free() > 0;
    }

    /** No more frames are to go back. */
    void oweNothing() {
        owed.set(0);
    }

    int owed() {
        return owed.get();
    }

    /** Frames that have to be reclaimed so that so many can be had and nothing is owed; none if negative. */
    int missing(int wanted) {
        return wanted + owed.get() - atHand();
    }

    // --- what the policy asks

    @Override
    public boolean isPinned(int frame) {
        long word = word(frame);
        return (word & PageWord.PINS) != 0 || PageWord.state(word) != PageWord.State.PRESENT;
    }

    @Override
    public boolean takeReferenced(int frame) {
        PageTable table = stage(page(frame)).table();
        long page = pageOf(page(frame));
        long word = table.word(page);
        while (PageWord.isReferenced(word)) {
            if (table.change(page, word, word & ~PageWord.REFERENCED)) {
                return true;
            }
            word = table.word(page);
        }
        return false;
    }

    private long word(int frame) {
        long name = page(frame);
        return stage(name).table().word(pageOf(name));
    }

    @Override
    public long page(int frame) {
        return owners.name(frame);
    }
}
