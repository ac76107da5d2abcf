package org.verbena.memory.paging;

/**
 * Which page each frame has, by name, and whether that is new. Six bytes for a frame. Whoever has the frame writes; who reads has
 * learnt of the frame by something that was written later: the list of newcomers, or the word of the page.
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

    /** The frame has this page, and the policy does not know that yet. */
    void setNew(int frame, long name) {
        low[frame] = (int) name;
        high[frame] = (short) ((name >>> Integer.SIZE) | NEW);
    }

    /** The policy knows. */
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
