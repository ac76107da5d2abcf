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
@Description("Pages were written to the page store; those nobody touched meanwhile lost their frames")
@StackTrace(false)
public final class PageOutEvent extends Event {
    @Label("Memory")
    int memory;

    @Label("Written")
    int written;

    @Label("Evicted")
    int evicted;

    private PageOutEvent() {}

    /** Begins one; null if nobody records. */
    public static @Nullable PageOutEvent start() {
        PageOutEvent event = new PageOutEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Ends one, if it was begun. */
    public static void stop(@Nullable PageOutEvent event, int memory, int written, int evicted) {
        if (event != null) {
            event.memory = memory;
            event.written = written;
            event.evicted = evicted;
            event.commit();
        }
    }
}
