package org.verbena.memory;

/**
 * A page that a consumer's own access waited for did not come in time: a guest's driver has not answered, or the page store is
 * full or silent. The message says which. Nothing is pinned by it; if the page comes later, it is there for the next access.
 */
public final class PageTimeoutException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    PageTimeoutException(String message) {
        super(message);
    }
}
