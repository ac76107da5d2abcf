package org.verbena.tools.console;

/** Says that work under way should come to its end soon. Raised once, by any thread; looked at by any. */
public final class StopSign {
    private volatile boolean raised;

    /** Not raised. */
    public StopSign() {}

    public void raise() {
        raised = true;
    }

    public boolean isRaised() {
        return raised;
    }
}
