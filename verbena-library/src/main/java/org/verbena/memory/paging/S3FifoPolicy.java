package org.verbena.memory.paging;

/**
 * S3-FIFO. A new page enters a small queue. A page that is not touched again leaves it soon, so that a stream of pages does not
 * drive out pages in use; a page that is touched again moves to the main queue. A page that left the small queue lately and returns
 * enters the main queue at once.
 *
 * <p>The access that brought a page in has touched it, and the packets of one message touch it together. That is one use, not two.
 * So the small queue has two halves, and a touch in its first half, {@code fresh}, is forgotten.
 */
public final class S3FifoPolicy implements EvictionPolicy {
    /** The small queue is this part of all frames. */
    private static final int SMALL_SHARE = 10;

    private final FrameList fresh;
    private final FrameList small;
    private final FrameList main;
    private final GhostList ghosts;

    /** @param limit one more than the highest frame */
    public S3FifoPolicy(int limit) {
        FrameList[] lists = FrameList.family(3, limit);
        fresh = lists[0];
        small = lists[1];
        main = lists[2];
        ghosts = new GhostList(limit);
    }

    @Override
    public void onInstalled(int frame, long page) {
        if (ghosts.remove(page)) {
            main.append(frame);
        } else {
            fresh.append(frame);
        }
    }

    @Override
    public void onRemoved(int frame) {
        if (fresh.contains(frame)) {
            fresh.remove(frame);
        } else if (small.contains(frame)) {
            small.remove(frame);
        } else if (main.contains(frame)) {
            main.remove(frame);
        }
    }

    @Override
    public void onKept(int frame) {
        main.append(frame);
    }

    @Override
    public int choose(Residents residents) {
        boolean fromSmall = ((long) fresh.size() + small.size()) * SMALL_SHARE >= size();
        int frame = fromSmall ? chooseNew(residents) : chooseOld(residents);
        if (frame == Driver.NONE) {
            frame = fromSmall ? chooseOld(residents) : chooseNew(residents);
        }
        return frame;
    }

    /** Chooses from the small queue; pages that were touched again move to the main queue. */
    private int chooseNew(Residents residents) {
        age(residents);
        for (int looks = Math.min(LOOKS_MAX, small.length()); looks > 0; looks--) {
            int frame = small.takeFirst();
            if (frame == Driver.NONE) {
                continue;
            }
            if (residents.isPinned(frame)) {
                fresh.append(frame); // so that pinned frames do not keep others from being looked at
            } else if (residents.takeReferenced(frame)) {
                main.append(frame);
            } else {
                ghosts.add(residents.page(frame));
                return frame;
            }
        }
        return Driver.NONE;
    }

    /** Moves frames from the first half of the small queue to the second until the halves are equal. */
    private void age(Residents residents) {
        for (int looks = LOOKS_MAX; looks > 0 && fresh.size() > small.size(); looks--) {
            int frame = fresh.takeFirst();
            if (frame == Driver.NONE) {
                continue;
            }
            boolean _ = residents.takeReferenced(frame);
            small.append(frame);
        }
    }

    /** Chooses from the main queue, as CLOCK does. */
    private int chooseOld(Residents residents) {
        for (int looks = Math.min(LOOKS_MAX, 2 * main.length()); looks > 0 && main.length() > 0; looks--) {
            int frame = main.takeFirst();
            if (frame == Driver.NONE) {
                continue;
            }
            if (!residents.isPinned(frame) && !residents.takeReferenced(frame)) {
                return frame;
            }
            main.append(frame);
        }
        return Driver.NONE;
    }

    @Override
    public int size() {
        return fresh.size() + small.size() + main.size();
    }

    @Override
    public int round() {
        return fresh.length() + small.length() + main.length();
    }

    @Override
    public int bytesPerFrame() {
        return FrameList.BYTES + GhostList.BYTES;
    }

    @Override
    public long bytes(int frames) {
        return (long) frames * FrameList.BYTES + ghosts.bytes();
    }

    @Override
    public String name() {
        return "s3-fifo";
    }
}
