package org.verbena.manage.manager;

import java.util.ArrayList;
import java.util.List;

/** What went wrong in a sweep, in words. The sweep goes on; another follows. */
final class SweepProblems {
    /** More are only counted. */
    private static final int KEPT_MAX = 100;

    private final List<String> kept = new ArrayList<>();
    private long count;

    void add(String problem) {
        count++;
        if (kept.size() < KEPT_MAX) {
            kept.add(problem);
        }
    }

    /** Something to know that another sweep would not change. */
    void warn(String warning) {
        if (kept.size() < KEPT_MAX) {
            kept.add(warning);
        }
    }

    void failed(SmpSlot slot, int status) {
        add(
                status == SweepPhase.NO_ANSWER
                        ? slot + ": no answer"
                        : slot + ": status 0x%04x found, 0 expected".formatted(status));
    }

    long count() {
        return count;
    }

    List<String> kept() {
        return List.copyOf(kept);
    }
}
