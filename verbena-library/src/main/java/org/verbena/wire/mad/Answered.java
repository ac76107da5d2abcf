package org.verbena.wire.mad;

/** Which message an {@link Mra} or a {@link Rej} answers: two bits. */
public final class Answered {
    public static final int REQ = 0;
    public static final int REP = 1;
    /** Neither: a load of an alternate path ({@link Mra}), or no message at all ({@link Rej}). */
    public static final int OTHER = 2;

    private Answered() {}
}
