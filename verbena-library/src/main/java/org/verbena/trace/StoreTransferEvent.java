package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Flight Recorder: a transfer to or from the page store. */
@Name("org.verbena.StoreTransfer")
@Label("Store Transfer")
@Category("Verbena")
@Description("Neighbouring pages were read from the page store or written to it")
@StackTrace(false)
public final class StoreTransferEvent extends Event {
    @Label("Kind")
    String kind = "";

    @Label("Pages")
    int pages;

    @Label("Outcome")
    @Description("Outcome of the first page")
    String outcome = "";

    private StoreTransferEvent() {}

    /** Begins an event; null if no recording has it enabled. */
    public static @Nullable StoreTransferEvent start() {
        StoreTransferEvent event = new StoreTransferEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Ends an event that {@link #start} has begun; does nothing for null. */
    public static void stop(@Nullable StoreTransferEvent event, String kind, int pages, String outcome) {
        if (event != null) {
            event.kind = kind;
            event.pages = pages;
            event.outcome = outcome;
            event.commit();
        }
    }
}
