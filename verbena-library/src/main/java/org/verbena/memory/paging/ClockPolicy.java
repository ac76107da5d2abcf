package org.verbena.memory.paging;

/** First come, first gone, with a second chance for a page that was touched: CLOCK. */
public final class ClockPolicy implements EvictionPolicy {
    private final FrameList frames;

    /** For frames below a limit. */
    public ClockPolicy(int limit) {
        frames = new FrameList(new FrameList.Links(limit), 1);
    }

    @Override
    public void onInstalled(int frame, long page) {
        frames.append(frame);
    }

    @Override
    public void onRemoved(int frame) {
        if (frames.contains(frame)) {
            frames.remove(frame);
        }
    }

    @Override
    public void onKept(int frame) {
        frames.append(frame);
    }

    @Override
    public int choose(Residents residents) {
        for (int looks = 2 * frames.size(); looks > 0; looks--) {
            int frame = frames.takeFirst();
            if (!residents.isPinned(frame) && !residents.takeReferenced(frame)) {
                return frame;
            }
            frames.append(frame);
        }
        return Driver.NONE;
    }

    @Override
    public String name() {
        return "clock";
    }
}
