package org.verbena.bench.memory;

import java.util.Collection;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The JMH benchmarks of one access, time and allocation, each in another process. Arguments: milliseconds of an iteration. */
final class Pinning {
    private Pinning() {}

    static String key(String benchmark, String what) {
        return "access " + benchmark + " " + what;
    }

    public static void main(String... arguments) throws RunnerException {
        TimeValue iteration = TimeValue.milliseconds(Long.parseLong(arguments[0]));
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("StageBenchmark|PagedAccessBenchmark")
                        .mode(Mode.AverageTime)
                        .addProfiler(GCProfiler.class)
                        .forks(1)
                        .warmupIterations(5)
                        .warmupTime(iteration)
                        .measurementIterations(5)
                        .measurementTime(iteration)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        for (RunResult result : results) {
            String benchmark = result.getParams().getBenchmark().replaceFirst(".*\\.", "");
            String length = result.getParams().getParam("length");
            String name = length == null ? benchmark : benchmark + " " + length;
            // The quickest of the iterations: other load makes an iteration slower, never faster.
            Numbers.print(
                    key(name, "ns"), result.getPrimaryResult().getStatistics().getMin());
            result.getSecondaryResults().forEach((label, value) -> {
                if (label.endsWith("gc.alloc.rate.norm")) {
                    Numbers.print(key(name, "B"), allocated(value));
                }
            });
        }
    }

    /** The profiler also counts allocations of the virtual machine itself. */
    private static double allocated(Result<?> perOperation) {
        double bytes = perOperation.getScore();
        return bytes < 0.05 ? 0 : bytes;
    }
}
