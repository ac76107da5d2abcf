package org.verbena.memory.paging;

import java.util.BitSet;

/** CLOCK: a hand goes round the frames and chooses the first without pins whose page was not touched since the last round. */
public final class ClockPolicy implements EvictionPolicy {
    private final BitSet frames;
    private int size;
    private int hand;

    /** @param limit one more than the highest frame */
    public ClockPolicy(int limit) {
        frames = new BitSet(limit);
    }

    @Override
    public void onInstalled(int frame, long page) {
        assert !frames.get(frame) : "frame " + frame + " has a page already";
        frames.set(frame);
        size++;
    }

    @Override
    public void onRemoved(int frame) {
        if (frames.get(frame)) {
            frames.clear(frame);
            size--;
        }
    }

    @Override
    public void onKept(int frame) {
        assert !frames.get(frame) : "frame " + frame + " was not chosen";
        frames.set(frame);
        size++;
    }

    @Override
    public int choose(Residents residents) {
        for (int looks = Math.min(LOOKS_MAX, 2 * size); looks > 0; looks--) {
            int frame = next();
            if (!residents.isPinned(frame) && !residents.takeReferenced(frame)) {
                onRemoved(frame);
                return frame;
            }
        }
        return Driver.NONE;
    }

    private int next() {
        int frame = frames.nextSetBit(hand);
        if (frame < 0) {
            frame = frames.nextSetBit(0);
        }
        hand = frame + 1;
        return frame;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int bytesPerFrame() {
        return 1;
    }

    @Override
    public String name() {
        return "clock";
    }
}
