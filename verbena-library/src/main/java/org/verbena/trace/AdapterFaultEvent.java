package org.verbena.trace;

import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Unsigned;
import org.jspecify.annotations.Nullable;
import org.verbena.FaultKind;
import org.verbena.FaultedAccess;

/** Flight Recorder: a page fault of an adapter, from the access that met it until the access can be repeated. */
@Name("org.verbena.AdapterFault")
@Label("Adapter Page Fault")
@Category("Verbena")
@Description("An access of a queue pair found pages missing; the queue pair or its peer waited for them")
@StackTrace(false)
public final class AdapterFaultEvent extends Event {
    /** Never recorded: answers whether the event is enabled, without an allocation. */
    private static final AdapterFaultEvent PROBE =
            new AdapterFaultEvent("", new FaultedAccess(FaultKind.READ, 0, 0, 0, 0, 0), 0, 0);

    @Label("Adapter")
    String adapter;

    @Label("Queue Pair")
    int queuePair;

    @Label("Operation")
    @Description("send, write, atomic, read: of the peer; gather, landing: of the own consumer")
    String operation;

    @Label("Write")
    boolean write;

    @Label("Memory Domain")
    @Description("0 is the host")
    int memoryDomain;

    @Label("Key")
    @Unsigned
    int key;

    @Label("Address")
    @MemoryAddress
    long address;

    @Label("Length")
    long length;

    @Label("Stage")
    @Description(
            "1: missing in the table of the domain whose memory it is; 2: in the host's table of a guest's physical memory")
    int stage;

    @Label("Pages")
    @Description("Pages that the access needs")
    int pages;

    @Label("Outcome")
    @Description(
            "GRANTED: the pages came; NOT_RESIDENT: they did not come in time, or the queue pair ended; else the reason of the refusal")
    String outcome = "";

    private AdapterFaultEvent(String adapter, FaultedAccess access, int stage, int pages) {
        this.adapter = adapter;
        this.queuePair = access.queuePair();
        this.operation = access.kind().name().toLowerCase(Locale.ROOT);
        this.write = access.isWrite();
        this.memoryDomain = access.memoryDomain();
        this.key = access.key();
        this.address = access.address();
        this.length = access.length();
        this.stage = stage;
        this.pages = pages;
    }

    /** Whether a recording has this event enabled. */
    public static boolean isRecorded() {
        return PROBE.isEnabled();
    }

    /** Begins an event; null if no recording has it enabled. */
    public static @Nullable AdapterFaultEvent start(String adapter, FaultedAccess access, int stage, int pages) {
        if (!isRecorded()) {
            return null;
        }
        AdapterFaultEvent event = new AdapterFaultEvent(adapter, access, stage, pages);
        event.begin();
        return event;
    }

    /** Ends an event that {@link #start} has begun; does nothing for null. */
    public static void stop(@Nullable AdapterFaultEvent event, String outcome) {
        if (event != null) {
            event.outcome = outcome;
            event.commit();
        }
    }
}
