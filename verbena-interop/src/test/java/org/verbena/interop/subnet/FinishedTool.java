package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;

/** A tool that has ended. */
record FinishedTool(String command, int status, String output) {
    /** It ended well, and a line of its output has this pattern. */
    FinishedTool requires(String pattern) {
        assertEquals(0, status, this::toString);
        assertTrue(Pattern.compile(pattern, Pattern.MULTILINE).matcher(output).find(), () -> pattern + " in " + this);
        return this;
    }

    @Override
    public String toString() {
        return command + " ended with " + status + ":\n" + output;
    }
}
