package org.verbena.link;

/** A link cannot be opened or a path not be prepared: its message names the value found and the value expected. Never thrown for a packet. */
public final class LinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LinkException(String message) {
        super(message);
    }

    public LinkException(String message, Throwable cause) {
        super(message, cause);
    }
}
