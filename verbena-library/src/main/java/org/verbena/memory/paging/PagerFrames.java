package org.verbena.memory.paging;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The frames of one pager: the free frames, the page in each other frame, and the policy that chooses the next frame to be
 * reclaimed. Any thread takes a frame and notes the page that was put into it; all other methods are used inside the monitor, unless
 * they say otherwise.
 */
final class PagerFrames implements EvictionPolicy.Residents {
    /** Bits of a page's name that are its number within its stage: as many as the number of a slot has. */
    private static final int PAGE_BITS = 31;

    private static final long PAGE_MASK = (1L << PAGE_BITS) - 1;
    /** Number of stages at a time. Stage numbers in a name begin at 1, so that no page has the name zero. */
    private static final int STAGES_MAX = (1 << (Owners.BITS - PAGE_BITS)) - 1;

    /** Free frames that are kept at hand. */
    private static final int TAKE_AT_ONCE = 64;
    /** Bytes for a frame: its owner and its link. */
    private static final int BYTES_PER_FRAME = Owners.BYTES + Integer.BYTES;

    private final FrameSupply supply;
    private final EvictionPolicy policy;
    private final FramePool pool;
    /** Frames that got a page and that the policy does not know yet. */
    private final FramePool newcomers;

    private final Owners owners;
    private final StageList stages = new StageList(STAGES_MAX);
    private final AtomicInteger owed = new AtomicInteger();
    /** Number of frames taken from the supply. */
    private final AtomicInteger had = new AtomicInteger();

    private final int[] stocking = new int[TAKE_AT_ONCE];
    /** Number of times that the policy was told of a frame with a page. */
    private long additions;

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

    /** Number of frames that can be taken without an eviction. */
    int free() {
        return Math.max(0, atHand() - owed.get());
    }

    private int atHand() {
        return pool.free() + supply.free();
    }

    /** Number of frames taken from the supply, free ones included. */
    int frames() {
        return had.get();
    }

    /** Bytes of the data about frames. */
    long bytes() {
        return (long) owners.frames() * BYTES_PER_FRAME + policy.bytes(owners.frames());
    }

    /** Takes a free frame; {@link FramePool#NONE} if none is free. */
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

    /** Gives back a frame without a page. */
    void give(int frame) {
        pool.give(frame);
    }

    /** A frame has got a page. The page is pinned until this returns, or the caller is inside the monitor. */
    void onInstalled(Stage stage, long page, int frame) {
        owners.setNew(frame, name(stage, page));
        newcomers.give(frame);
    }

    /** Name of a page: one number for stage and page, never zero. */
    static long name(Stage stage, long page) {
        return ((long) stage.number() + 1) << PAGE_BITS | page;
    }

    // --- inside the monitor

    /** The stage of the page with this name. */
    Stage stage(long name) {
        return stages.get((int) (name >>> PAGE_BITS) - 1);
    }

    /** Number within its stage of the page with this name. */
    static long pageOf(long name) {
        return name & PAGE_MASK;
    }

    /**
     * Takes some frames from the supply, so that accesses find them at hand. Pages that are touched one after the other get
     * neighbouring frames if the supply gives them.
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

    /** Tells the policy of the frames that got a page. */
    void admitNewcomers(TurnAllowance allowance) {
        while (newcomers.free() > 0 && allowance.trySpend()) {
            int frame = newcomers.take();
            if (frame == FramePool.NONE) {
                return;
            }
            owners.setKnown(frame);
            policy.onInstalled(frame, page(frame));
            additions++;
        }
    }

    /** A frame that the policy chose, or was told to forget, keeps its page. */
    void keep(int frame) {
        policy.onKept(frame);
        additions++;
    }

    /** A number that grows when the policy is told of a frame that it can choose. */
    long additions() {
        return additions;
    }

    /** Whether there are frames that the policy does not know yet. */
    boolean hasNewcomers() {
        return newcomers.free() > 0;
    }

    /** Whether the policy does not know this frame yet. Such a frame cannot lose its page. */
    boolean isNew(int frame) {
        return owners.isNew(frame);
    }

    /** The frame that is to lose its page next; {@link Driver#NONE} if the policy found none. */
    int choose() {
        return policy.choose(this);
    }

    /** A frame that the policy chose has lost its page. */
    void free(int frame) {
        owners.clear(frame);
        if (owed.get() > 0) {
            owed.getAndDecrement();
            giveBack(frame);
        } else {
            pool.give(frame);
        }
    }

    /** A frame that the policy did not choose has lost its page. The frame was not new, and the page not pinned. */
    void freeUnchosen(int frame) {
        policy.onRemoved(frame);
        free(frame);
    }

    private void giveBack(int frame) {
        had.getAndDecrement();
        supply.giveBack(frame);
    }

    /** Adds to the number of frames owed to the supply: free frames go back at once, others as they become free. */
    void owe(int frames) {
        owed.addAndGet(frames);
    }

    /** Gives back the frames owed, as far as frames are free. */
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

    /** Whether frames are owed and can be given back now. */
    boolean owesFree() {
        return owed.get() > 0 && pool.free() > 0;
    }

    /** Cancels what is owed. */
    void oweNothing() {
        owed.set(0);
    }

    /** Number of frames owed to the supply. Any thread. */
    int owed() {
        return owed.get();
    }

    /** Number of frames to reclaim so that the wanted number is free and nothing is owed; none if negative. */
    int missing(int wanted) {
        return wanted + owed.get() - atHand();
    }

    // --- questions of the policy

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
