package org.verbena.interop.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * How a program ended.
 *
 * @param command the command
 * @param status its exit status, 0 for success
 * @param output all it said, on both its outputs
 */
public record Outcome(String command, int status, String output) {
    /** Fails the test unless it succeeded. */
    public Outcome succeeds() {
        assertEquals(0, status, this::toString);
        return this;
    }

    @Override
    public String toString() {
        return command + "\nended with status " + status + ":\n" + output.indent(4);
    }
}
