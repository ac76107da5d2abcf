package org.verbena.memory.paging;

/**
 * Three queues: pages are new in a small one, from which those never touched again leave soon, so that a stream does not drive
 * out what is used; the rest live in the main one. Who left the small queue lately and comes back goes to the main one at once.
 *
 * <p>The access that brought a page in has touched it, and the packets of one message touch it together. That is one use, not
 * two: touches in the first half of the small queue are forgotten.
 */
public final class S3FifoPolicy implements EvictionPolicy {
    /** Of the frames, the tenth part is for pages new here. */
    private static final int SMALL_SHARE = 10;

    private final FrameList fresh;
    private final FrameList small;
    private final FrameList main;
    private final GhostList ghosts;

    /** For frames below a limit. */
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

    /** Those touched again go to the main queue. */
    private int chooseNew(Residents residents) {
        age(residents);
        for (int looks = Math.min(LOOKS_MAX, small.length()); looks > 0; looks--) {
            int frame = small.takeFirst();
            if (frame == Driver.NONE) {
                continue;
            }
            if (residents.isPinned(frame)) {
                small.append(frame);
            } else if (residents.takeReferenced(frame)) {
                main.append(frame);
            } else {
                ghosts.add(residents.page(frame));
                return frame;
            }
        }
        return Driver.NONE;
    }

    /** Half of the small queue is fresh, until nothing else is left of it. */
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
