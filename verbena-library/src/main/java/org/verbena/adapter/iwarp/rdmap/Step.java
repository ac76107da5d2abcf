package org.verbena.adapter.iwarp.rdmap;

/** The result of one step of sending. */
enum Step {
    /** A segment is in the channel, or a local request is done. */
    DONE,
    /** Nothing can be sent now. */
    BLOCKED,
    /** The channel has no room. */
    NO_ROOM,
    /** The local memory refuses the access, or a page of it is missing. */
    REFUSED
}
