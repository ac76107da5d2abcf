package org.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps of a close, each of which is taken whatever the others do. */
final class ClosingSteps {
    private ClosingSteps() {}

    /** Those of an adapter whose queue pairs are shut. */
    static List<Runnable> ofAdapter(
            QueuePairs queuePairs, LocalAdapter local, AdapterRegistrations registrations, AdapterMetrics metrics) {
        List<Runnable> steps = new ArrayList<>();
        steps.add(queuePairs.owners()::close);
        steps.add(local.management()::close);
        queuePairs.all().forEach(queuePair -> steps.add(queuePair::close));
        steps.add(local::closeStreams);
        steps.add(local.runner()::close);
        steps.add(local.link()::close);
        steps.add(registrations::close);
        steps.add(local.events()::close);
        steps.add(metrics::close);
        return steps;
    }

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
