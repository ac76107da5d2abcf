package org.verbena.memory.paging;

/**
 * Everything about one page in one long:
 * {@code frame 28 | pins 12 | referenced 1 | dirty 1 | stored 1 | state 3 | version 18}. Zero is a page never touched.
 *
 * <p>A page has a frame when it is present or cleaning, and only then can be pinned. Whoever changes the frame changes the
 * version, so that a word read before does not fit any more.
 */
public final class PageWord {
    /** Where a page is. The order is that of the three bits. */
    public enum State {
        /** Nowhere: all zeros. */
        ZERO,
        /** In the page store. */
        ABSENT,
        /** On its way into a frame; one thread has undertaken it, others wait. */
        LOADING,
        /** In a frame. */
        PRESENT,
        /** In a frame, and on its way to the store; whoever touches it keeps it here. */
        CLEANING,
        /** Lost: the store does not give back what was written. */
        POISONED,
        /** Given up with the memory it belonged to: never gets a frame again. */
        CLOSED
    }

    /** Pins of one page at most; one more finds it busy. */
    public static final int PINS_MAX = (1 << 12) - 1;

    /** Frames there can be. */
    public static final int FRAMES_MAX = 1 << 28;

    static final int VERSION_BITS = 18;
    static final long VERSION = (1L << VERSION_BITS) - 1;
    static final int STATE_SHIFT = VERSION_BITS;
    static final long STATE = 7L << STATE_SHIFT;
    static final long STORED = 1L << (STATE_SHIFT + 3);
    static final long DIRTY = STORED << 1;
    static final long REFERENCED = DIRTY << 1;
    static final int PIN_SHIFT = STATE_SHIFT + 6;
    static final long PIN = 1L << PIN_SHIFT;
    static final long PINS = (long) PINS_MAX << PIN_SHIFT;
    static final int FRAME_SHIFT = PIN_SHIFT + 12;

    private static final State[] STATES = State.values();

    private PageWord() {}

    public static State state(long word) {
        return STATES[code(word)];
    }

    /** The state as its three bits: what a switch on the way of a packet looks at. */
    static int code(long word) {
        return (int) ((word & STATE) >>> STATE_SHIFT);
    }

    public static int frame(long word) {
        return (int) (word >>> FRAME_SHIFT);
    }

    public static int pins(long word) {
        return (int) ((word & PINS) >>> PIN_SHIFT);
    }

    public static boolean isDirty(long word) {
        return (word & DIRTY) != 0;
    }

    public static boolean isReferenced(long word) {
        return (word & REFERENCED) != 0;
    }

    /** Whether the store holds the page, perhaps as it was before it became dirty. */
    public static boolean isStored(long word) {
        return (word & STORED) != 0;
    }

    public static int version(long word) {
        return (int) (word & VERSION);
    }

    /** Whether the page is in a frame. */
    public static boolean isResident(long word) {
        int code = code(word);
        return code == State.PRESENT.ordinal() || code == State.CLEANING.ordinal();
    }

    /** Whether a page is still in the frame it was in, and has not been anywhere else in between. */
    static boolean isSameStay(long before, long word) {
        return isResident(word) && frame(word) == frame(before) && version(word) == version(before);
    }

    /** In a frame, present. */
    static long present(long before, int frame, int pins, long flags) {
        return ((long) frame << FRAME_SHIFT)
                | ((long) pins << PIN_SHIFT)
                | flags
                | ((long) State.PRESENT.ordinal() << STATE_SHIFT)
                | nextVersion(before);
    }

    /** In no frame. */
    static long gone(long before, State state) {
        return (before & STORED) | ((long) state.ordinal() << STATE_SHIFT) | nextVersion(before);
    }

    /** The same page in the same frame, in another state. */
    static long in(long word, State state) {
        return (word & ~STATE) | ((long) state.ordinal() << STATE_SHIFT);
    }

    private static long nextVersion(long word) {
        return (word + 1) & VERSION;
    }

    /** For people. */
    public static String toString(long word) {
        return state(word) + (isResident(word) ? " in frame " + frame(word) + ", pins " + pins(word) : "")
                + (isDirty(word) ? ", dirty" : "") + (isReferenced(word) ? ", referenced" : "")
                + (isStored(word) ? ", stored" : "") + ", version " + version(word);
    }
}
