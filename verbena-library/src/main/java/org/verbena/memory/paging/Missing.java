package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** A page of somebody else's table that was asked for and has no frame, and those who wait for it: inside its driver's monitor. */
public final class Missing {
    /** Of those who wait for one page; who comes when there are more is refused. */
    static final int WAITERS_MAX = PageWord.PINS_MAX;

    private static final int SWEEP_MIN = 16;

    private record Waiting(Waiter waiter, Access access) {}

    private final Stage stage;
    private final long page;
    private final boolean changes;
    private final boolean ahead;
    private final List<Waiting> waiting = new ArrayList<>(1);
    private boolean told;
    /** With so many who wait, it is looked which of them have gone. */
    private int sweepAt = SWEEP_MIN;

    Missing(Stage stage, long page, boolean changes, boolean ahead) {
        this.stage = stage;
        this.page = page;
        this.changes = changes;
        this.ahead = ahead;
    }

    public Stage stage() {
        return stage;
    }

    public long page() {
        return page;
    }

    /** Whether it will be written, as far as the one who asked first knows. */
    public boolean changes() {
        return changes;
    }

    /** Whether it was announced, and nobody waited for it when it was asked for. */
    public boolean isAhead() {
        return ahead;
    }

    /** Whether the one who is to answer has been asked. */
    boolean isTold() {
        return told;
    }

    void tell() {
        told = true;
    }

    /** Whether as many wait as can. Who asks of one who never answers gives up some time, and comes again. */
    boolean isFull() {
        if (waiting.size() >= sweepAt) {
            waiting.removeIf(waits -> waits.waiter.isGone());
            sweepAt = Math.min(WAITERS_MAX, Math.max(SWEEP_MIN, 2 * waiting.size()));
        }
        return waiting.size() >= WAITERS_MAX;
    }

    void add(Waiter waiter, Access access) {
        waiting.add(new Waiting(waiter, access));
    }

    void forEach(BiConsumer<Waiter, Access> action) {
        waiting.forEach(waits -> action.accept(waits.waiter, waits.access));
    }

    /** All who wait are refused. */
    void refuse(Refusal reason) {
        waiting.forEach(waits -> waits.waiter.onRefused(stage, page, reason));
    }
}
