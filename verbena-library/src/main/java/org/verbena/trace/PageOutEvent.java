package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Flight Recorder: neighbouring pages were written out together. */
@Name("org.verbena.PageOut")
@Label("Page Out")
@Category("Verbena")
@Description("Pages were written to the page store; pages that were not touched meanwhile lost their frames")
@StackTrace(false)
public final class PageOutEvent extends Event {
    @Label("Memory")
    int memory;

    @Label("Written")
    int written;

    @Label("Evicted")
    int evicted;

    private PageOutEvent() {}

    /** Begins an event; null if no recording has it enabled. */
    public static @Nullable PageOutEvent start() {
        PageOutEvent event = new PageOutEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Ends an event that {@link #start} has begun; does nothing for null. */
    public static void stop(@Nullable PageOutEvent event, int memory, int written, int evicted) {
        if (event != null) {
            event.memory = memory;
            event.written = written;
            event.evicted = evicted;
            event.commit();
        }
    }
}
