package org.verbena.memory.paging;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one pager: which are free, which page is in each of the others, and who is to lose its own next. Taking a frame
 * and telling of a page put into it is for any thread; the rest is for the one inside the monitor.
 */
final class Residency implements EvictionPolicy.Residents {
    private static final VarHandle OWNER = MethodHandles.arrayElementVarHandle(long[].class);
    /** Of the name of a page, the bits that number it within its stage. */
    private static final int PAGE_BITS = 40;

    private static final long PAGE_MASK = (1L << PAGE_BITS) - 1;
    private static final int TAKE_AT_ONCE = 64;

    private final FrameSupply supply;
    private final EvictionPolicy policy;
    private final FramePool pool;
    private final FramePool newcomers;
    private final long[] owners;
    private final List<@Nullable Stage> stages = new ArrayList<>();
    private final AtomicInteger owed = new AtomicInteger();
    private final AtomicInteger had = new AtomicInteger();

    Residency(FrameSupply supply, EvictionPolicy policy) {
        this.supply = supply;
        this.policy = policy;
        this.pool = new FramePool(supply.limit());
        this.newcomers = new FramePool(supply.limit());
        this.owners = new long[supply.limit()];
    }

    EvictionPolicy policy() {
        return policy;
    }

    // --- any thread

    /** Frames that could be had without an eviction. */
    int free() {
        return Math.max(0, pool.free() + supply.free() - owed.get());
    }

    /** Frames this pager has, free ones included. */
    int frames() {
        return had.get();
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

    /** A frame got a page, which is pinned until this returns. */
    void onInstalled(Stage stage, long page, int frame) {
        OWNER.setRelease(owners, frame, name(stage, page));
        newcomers.give(frame);
    }

    static long name(Stage stage, long page) {
        return ((long) stage.number() + 1) << PAGE_BITS | page;
    }

    // --- inside the monitor

    void add(Stage stage) {
        int number = stages.indexOf(null);
        if (number < 0) {
            number = stages.size();
            stages.add(stage);
        } else {
            stages.set(number, stage);
        }
        stage.number(number);
    }

    void remove(Stage stage) {
        stages.set(stage.number(), null);
    }

    List<Stage> stages() {
        return stages.stream()
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }

    Stage stage(long name) {
        Stage stage = stages.get((int) (name >>> PAGE_BITS) - 1);
        assert stage != null : "a page of a stage that is gone";
        return stage;
    }

    static long pageOf(long name) {
        return name & PAGE_MASK;
    }

    /** Takes some frames at a time from the supply, so that accesses find them at hand. */
    void stock() {
        for (int left = TAKE_AT_ONCE - pool.free(); left > 0 && owed.get() == 0; left--) {
            int frame = supply.take();
            if (frame == FramePool.NONE) {
                return;
            }
            had.getAndIncrement();
            pool.give(frame);
        }
    }

    void admitNewcomers() {
        for (int frame = newcomers.take(); frame != FramePool.NONE; frame = newcomers.take()) {
            policy.onInstalled(frame, page(frame));
        }
    }

    int choose() {
        admitNewcomers();
        return policy.choose(this);
    }

    /** A frame has lost its page by choice. */
    void free(int frame) {
        OWNER.setRelease(owners, frame, 0L);
        if (owed.get() > 0) {
            owed.getAndDecrement();
            giveBack(frame);
        } else {
            pool.give(frame);
        }
    }

    /** A frame has lost its page otherwise. */
    void freeUnchosen(int frame) {
        admitNewcomers();
        policy.onRemoved(frame);
        free(frame);
    }

    private void giveBack(int frame) {
        had.getAndDecrement();
        supply.giveBack(frame);
    }

    /** So many frames more are to go back to the supply: free ones at once, others as they become free. */
    void owe(int frames) {
        int left = owed.addAndGet(frames);
        for (; left > 0; left--) {
            int frame = pool.take();
            if (frame == FramePool.NONE) {
                return;
            }
            owed.getAndDecrement();
            giveBack(frame);
        }
    }

    /** No more frames are to go back. */
    void oweNothing() {
        owed.set(0);
    }

    int owed() {
        return owed.get();
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
        return (long) OWNER.getAcquire(owners, frame);
    }
}
