package org.verbena.link.tcp.driver;

import org.verbena.link.Endpoint;
import org.verbena.link.stream.StreamFailure;

/** A stream could not be opened. */
public final class OpenFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final StreamFailure why;
    private final String detail;

    /** @param reason the system's */
    public OpenFailure(StreamFailure why, Endpoint local, Endpoint remote, String reason) {
        super(reason);
        this.why = why;
        this.detail = "stream from " + local + " to " + remote + ": " + reason;
    }

    public StreamFailure why() {
        return why;
    }

    /** For people: what was tried, and the system's reason. */
    public String detail() {
        return detail;
    }
}
