package org.verbena.tools.console;

/** A command cannot go on, for a reason that its message tells in full: shown as one line, without a stack trace. */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ToolException(String message) {
        super(message);
    }

    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
