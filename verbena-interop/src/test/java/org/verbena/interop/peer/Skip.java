package org.verbena.interop.peer;

import static org.junit.jupiter.api.Assumptions.abort;

/** What becomes of a test that has no VM. */
final class Skip {
    private Skip() {}

    /** Skips the test for this reason; with {@code VERBENA_INTEROP=required} in the environment it fails. */
    static void because(String reason) {
        if ("required".equals(System.getenv("VERBENA_INTEROP"))) {
            throw new IllegalStateException(reason);
        }
        abort(reason);
    }

    /** The line of a console that tells why a kernel died. */
    static String panicOf(String console) {
        return console.lines()
                .filter(line -> line.contains("PANIC") || line.contains("panic") || line.contains("Oops"))
                .findFirst()
                .orElse("its console says nothing of it");
    }
}
