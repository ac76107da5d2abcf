package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Flight Recorder: a page that was wanted and not there, from the wish to the page. */
@Name("org.verbena.PageFault")
@Label("Page Fault")
@Category("Verbena")
@Description("A page that was wanted and not in machine memory was brought in")
@StackTrace(false)
public final class PageFaultEvent extends Event {
    @Label("Stage")
    @Description("1: in the table of a guest; 2: in that of the host")
    int stage;

    @Label("Kind")
    @Description("read: from the page store; overwrite: all of it is written, nothing read; zero: never touched before")
    String kind;

    @Label("Memory")
    int memory;

    @Label("Page")
    long page;

    @Label("Resolved")
    boolean resolved;

    private PageFaultEvent(int stage, String kind) {
        this.stage = stage;
        this.kind = kind;
    }

    /** Begins one; null if nobody records. */
    public static @Nullable PageFaultEvent start(int stage, String kind) {
        PageFaultEvent event = new PageFaultEvent(stage, kind);
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Ends one, if it was begun. */
    public static void stop(@Nullable PageFaultEvent event, int memory, long page, boolean resolved) {
        if (event != null) {
            event.memory = memory;
            event.page = page;
            event.resolved = resolved;
            event.commit();
        }
    }
}
