package org.verbena.verbs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps of a close, each of which is taken whatever the others do. */
final class ClosingSteps {
    private ClosingSteps() {}

    /** Runs all steps; then throws the first exception, if there was one, with the others as suppressed ones. */
    static void run(List<Runnable> steps) {
        @Nullable RuntimeException failure = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
