package org.verbena.memory.registration;

import java.util.HashSet;
import java.util.Set;

/** Page locks of a system with a limit, as Linux has them: they do not add up. Nothing is locked. */
final class CountedLocks extends PageLock {
    private static final long PAGE = 4096;
    private static final int ENOMEM = 12;

    private final long limit;
    private final Set<Long> pages = new HashSet<>();
    private int calls;

    CountedLocks(long limit) {
        this.limit = limit;
    }

    @Override
    int lock(long address, long length) {
        calls++;
        Set<Long> more = new HashSet<>(pages);
        if (length > limit) {
            return ENOMEM;
        }
        for (long page = address / PAGE; page * PAGE < address + length; page++) {
            more.add(page);
        }
        if (more.size() * PAGE > limit) {
            return ENOMEM;
        }
        pages.addAll(more);
        return 0;
    }

    @Override
    void unlock(long address, long length) {
        for (long page = address / PAGE; page * PAGE < address + length; page++) {
            pages.remove(page);
        }
    }

    @Override
    long limit() {
        return limit;
    }

    int calls() {
        return calls;
    }

    int locked() {
        return pages.size();
    }

    boolean isLocked(long address) {
        return pages.contains(address / PAGE);
    }
}
