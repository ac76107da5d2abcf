package org.verbena.memory.paging;

/**
 * The state of one page in one long:
 * {@code frame 28 | pins 12 | referenced 1 | dirty 1 | stored 1 | state 3 | version 18}. Zero is the word of a page that was never touched.
 *
 * <p>A page has a frame while it is PRESENT or CLEANING, and only then it can be pinned. Each change of the frame changes the version,
 * so that a compare-and-set with a word read before it fails.
 */
public final class PageWord {
    /** The place of a page. The ordinal is the value of the three bits. */
    public enum State {
        /** In no frame and not in the store: all bytes are zero. */
        ZERO,
        /** In the page store only. */
        ABSENT,
        /** On its way into a frame: one page-in is under way, further requests join it. */
        LOADING,
        /** In a frame. */
        PRESENT,
        /** In a frame and being written to the store. An access makes it stay in the frame. */
        CLEANING,
        /** Lost: the store does not return the bytes that were written. */
        POISONED,
        /** Its memory is closed: the page never gets a frame again. */
        CLOSED
    }

    /** Pins that one page can have. */
    public static final int PINS_MAX = (1 << 12) - 1;

    /** Number of frames that a word can name. */
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

    /** The state as a number, for the path of a packet. */
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

    /** Whether the store holds the page, perhaps with the content it had before it became dirty. */
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

    /** Whether a page has been in the same frame all the time between two words. */
    static boolean isSameStay(long before, long word) {
        return isResident(word) && frame(word) == frame(before) && version(word) == version(before);
    }

    /** The word of a page that gets a frame. */
    static long present(long before, int frame, int pins, long flags) {
        return ((long) frame << FRAME_SHIFT)
                | ((long) pins << PIN_SHIFT)
                | flags
                | ((long) State.PRESENT.ordinal() << STATE_SHIFT)
                | nextVersion(before);
    }

    /** The word of a page that has no frame any more. */
    static long gone(long before, State state) {
        return (before & STORED) | ((long) state.ordinal() << STATE_SHIFT) | nextVersion(before);
    }

    /** The word of a page that changes its state and keeps its frame. */
    static long in(long word, State state) {
        return (word & ~STATE) | ((long) state.ordinal() << STATE_SHIFT);
    }

    private static long nextVersion(long word) {
        return (word + 1) & VERSION;
    }

    /** Text for messages. */
    public static String toString(long word) {
        return state(word) + (isResident(word) ? " in frame " + frame(word) + ", pins " + pins(word) : "")
                + (isDirty(word) ? ", dirty" : "") + (isReferenced(word) ? ", referenced" : "")
                + (isStored(word) ? ", stored" : "") + ", version " + version(word);
    }
}
