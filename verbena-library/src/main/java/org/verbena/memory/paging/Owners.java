package org.verbena.memory.paging;

/**
 * The name of the page in each frame, and whether the frame is new to the policy. Six bytes for a frame. The thread that has the
 * frame writes its entry. A thread that reads an entry has learnt of the frame through something written after the entry: the pool of
 * new frames, or the page's word.
 */
final class Owners {
    /** Bits of a name. */
    static final int BITS = 47;

    /** Bytes for a frame. */
    static final int BYTES = Integer.BYTES + Short.BYTES;

    private static final int NEW = 1 << (BITS - Integer.SIZE);

    private final int[] low;
    private final short[] high;

    Owners(int frames) {
        low = new int[frames];
        high = new short[frames];
    }

    int frames() {
        return low.length;
    }

    /** Sets the page of a frame that the policy does not know yet. */
    void setNew(int frame, long name) {
        low[frame] = (int) name;
        high[frame] = (short) ((name >>> Integer.SIZE) | NEW);
    }

    /** The policy knows the frame from now on. */
    void setKnown(int frame) {
        high[frame] = (short) (high[frame] & (NEW - 1));
    }

    boolean isNew(int frame) {
        return (high[frame] & NEW) != 0;
    }

    void clear(int frame) {
        low[frame] = 0;
        high[frame] = 0;
    }

    long name(int frame) {
        return (long) (high[frame] & (NEW - 1)) << Integer.SIZE | (low[frame] & 0xffff_ffffL);
    }
}
