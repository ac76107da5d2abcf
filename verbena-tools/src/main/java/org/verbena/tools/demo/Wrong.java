package org.verbena.tools.demo;

/** A check of the demo has failed; the message has the details. */
final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Wrong(String message) {
        super(message);
    }

    static void unless(boolean asExpected, String what) {
        if (!asExpected) {
            throw new Wrong(what);
        }
    }
}
