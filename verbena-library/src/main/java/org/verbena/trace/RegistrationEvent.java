package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder: a change of a registration table. */
@Name("org.verbena.Registration")
@Label("Registration")
@Category("Verbena")
@Description("A registration table has registered memory, or has removed a registration")
@StackTrace(false)
public final class RegistrationEvent extends Event {
    @Label("Owner")
    String owner;

    @Label("Change")
    String change;

    @Label("Address")
    long address;

    @Label("Length")
    @DataAmount
    long length;

    private RegistrationEvent(String owner, String change, long address, long length) {
        this.owner = owner;
        this.change = change;
        this.address = address;
        this.length = length;
    }

    /**
     * Adds a change to the recordings that have this event enabled.
     *
     * @param change what has happened: registered, merged, evicted, stale or closed
     */
    public static void record(String owner, String change, long address, long length) {
        RegistrationEvent event = new RegistrationEvent(owner, change, address, length);
        if (event.shouldCommit()) {
            event.commit();
        }
    }
}
