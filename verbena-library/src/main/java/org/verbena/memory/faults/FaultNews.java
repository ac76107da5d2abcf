package org.verbena.memory.faults;

import org.jspecify.annotations.Nullable;
import org.verbena.FaultKind;
import org.verbena.FaultedAccess;
import org.verbena.PageFault;
import org.verbena.Verdict;
import org.verbena.memory.paging.FaultEvents;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.Accessor;
import org.verbena.trace.AdapterFaultEvent;

/** What a page fault tells the listeners of the host, and Flight Recorder. Made only if one of them wants it. */
final class FaultNews {
    private final FaultEvents events;
    private final FaultedAccess access;
    private final int stage;
    private @Nullable PageFault fault;
    private @Nullable AdapterFaultEvent event;

    private FaultNews(FaultEvents events, FaultedAccess access, int stage) {
        this.events = events;
        this.access = access;
        this.stage = stage;
    }

    /** Whether there is a listener for faults of a stage, or a recording. */
    static boolean isWanted(Stage stage) {
        return stage.driver().faultEvents().isWatched() || AdapterFaultEvent.isRecorded();
    }

    /** Of an access to pages from {@code first} to {@code end - 1}; null if none of them is missing. */
    static @Nullable FaultNews of(FaultedAccess access, Stage stage, long first, long end) {
        for (long page = first; page < end; page++) {
            int missingAt = stage.missingAt(page);
            if (missingAt != Stage.MISSING_AT_NONE) {
                return new FaultNews(stage.driver().faultEvents(), access, missingAt);
            }
        }
        return null;
    }

    /** The operation of an access. */
    static FaultKind kindOf(Accessor accessor, Fault.Intent intent) {
        return switch (intent) {
            case READ -> accessor.isRemote() ? FaultKind.READ : FaultKind.GATHER;
            case RECEIVE -> FaultKind.SEND;
            case ATOMIC -> FaultKind.ATOMIC;
            case LANDING -> FaultKind.LANDING;
            case WRITE, OVERWRITE -> accessor.isRemote() ? FaultKind.WRITE : FaultKind.LANDING;
        };
    }

    /** The fault begins. */
    void begin(String adapter, int pages) {
        fault = events.isWatched() ? events.begin(adapter, access, stage, pages) : null;
        event = AdapterFaultEvent.start(adapter, access, stage, pages);
    }

    /** The fault ends, if it has begun and not ended. */
    void end(Verdict outcome, long durationNs) {
        if (fault != null) {
            events.end(fault, outcome, durationNs);
        }
        AdapterFaultEvent.stop(event, outcome.name());
        fault = null;
        event = null;
    }
}
