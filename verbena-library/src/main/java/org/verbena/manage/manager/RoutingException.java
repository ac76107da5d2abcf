package org.verbena.manage.manager;

/** A routing engine cannot route a subnet. The message says what was found and expected. */
public final class RoutingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RoutingException(String message) {
        super(message);
    }
}
