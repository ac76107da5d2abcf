package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Flight Recorder: a page fault, from the request for the page to its arrival. */
@Name("org.verbena.PageFault")
@Label("Page Fault")
@Category("Verbena")
@Description("A requested page that was not in machine memory was brought in")
@StackTrace(false)
public final class PageFaultEvent extends Event {
    @Label("Stage")
    @Description("1: in the table of a guest; 2: in the table of the host")
    int stage;

    @Label("Kind")
    @Description(
            "read: from the page store; overwrite: all bytes are written, none is read; zero: the page was never touched before")
    String kind;

    @Label("Memory")
    int memory;

    @Label("Page")
    long page;

    @Label("Write")
    @Description("One of the requests that waited for the page writes to it")
    boolean write;

    @Label("Resolved")
    boolean resolved;

    private PageFaultEvent(int stage, String kind) {
        this.stage = stage;
        this.kind = kind;
    }

    /** Begins an event; null if no recording has it enabled. */
    public static @Nullable PageFaultEvent start(int stage, String kind) {
        PageFaultEvent event = new PageFaultEvent(stage, kind);
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Ends an event that {@link #start} has begun; does nothing for null. */
    public static void stop(@Nullable PageFaultEvent event, int memory, long page, boolean write, boolean resolved) {
        if (event != null) {
            event.memory = memory;
            event.page = page;
            event.write = write;
            event.resolved = resolved;
            event.commit();
        }
    }
}
