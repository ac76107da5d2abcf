package org.verbena.memory;

/**
 * A page did not come in time for a consumer's own access: the driver of a guest has not answered, or the page store is full or
 * does not answer. The message names the cause. Nothing stays pinned. If the page comes later, it is there for the next access.
 */
public final class PageTimeoutException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** With a message that names the page and the cause. */
    public PageTimeoutException(String message) {
        super(message);
    }
}
