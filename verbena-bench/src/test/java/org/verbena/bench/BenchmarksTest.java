package org.verbena.bench;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

final class BenchmarksTest {
    @Test
    void everyBenchmarkRunsWithoutError() throws RunnerException {
        Collection<RunResult> results = new Runner(briefly()).run();
        assertFalse(results.isEmpty());
    }

    private static Options briefly() {
        return new OptionsBuilder()
                .forks(0)
                // Not a single shot: threads that wait for each other must run until both are done.
                .mode(Mode.Throughput)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(20))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }
}
