package org.verbena.adapter.iwarp;

/** Answer to a segment that has arrived. */
public enum Intake {
    /** The segment was used; its memory is free. */
    TAKEN,
    /** Nothing was done: the receiver waits, for example for a page. The same segment is offered again later, and no other before it. */
    LATER,
    /** The receiver takes no segment of this stream any more. */
    STOPPED
}
