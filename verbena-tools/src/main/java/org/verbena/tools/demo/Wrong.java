package org.verbena.tools.demo;

/** Something is not as it should be; the message says what. */
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
