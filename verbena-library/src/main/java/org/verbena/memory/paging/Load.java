package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.List;

/** A page on its way in, and who waits for it. Inside the monitor. */
final class Load {
    final Stage stage;
    final long page;
    private final List<Waiter> waiters = new ArrayList<>(1);
    private boolean changes;
    /** Whether what it holds is to be read. */
    final boolean read;
    /** Whether the store holds it. */
    final boolean stored;

    int frame = Driver.NONE;
    long position = -1;

    Load(Stage stage, long page, boolean read, boolean stored) {
        this.stage = stage;
        this.page = page;
        this.read = read;
        this.stored = stored;
    }

    void add(Waiter waiter, Access access) {
        waiters.add(waiter);
        changes |= access.changes();
    }

    boolean isWanted() {
        return !waiters.isEmpty();
    }

    boolean changes() {
        return changes;
    }

    List<Waiter> waiters() {
        return waiters;
    }

    long name() {
        return Residency.name(stage, page);
    }

    /** Whether it can go in one transfer behind another. */
    boolean follows(Load other) {
        return stage == other.stage && page == other.page + 1;
    }
}
