package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder: memory was registered and could not be pinned. Recorded once for each table. */
@Name("org.verbena.PinRefused")
@Label("Pin Refused")
@Category("Verbena")
@Description("A registration table could not pin memory that it has registered")
@StackTrace(false)
public final class PinRefusedEvent extends Event {
    @Label("Owner")
    String owner;

    @Label("Address")
    long address;

    @Label("Length")
    @DataAmount
    long length;

    @Label("Pinned")
    @DataAmount
    long pinned;

    @Label("Limit")
    @DataAmount
    long limit;

    @Label("Cause")
    String cause;

    private PinRefusedEvent(String owner, long address, long length, long pinned, long limit, String cause) {
        this.owner = owner;
        this.address = address;
        this.length = length;
        this.pinned = pinned;
        this.limit = limit;
        this.cause = cause;
    }

    /** Adds a refusal to the recordings that have this event enabled. */
    public static void record(String owner, long address, long length, long pinned, long limit, String cause) {
        new PinRefusedEvent(owner, address, length, pinned, limit, cause).commit();
    }
}
