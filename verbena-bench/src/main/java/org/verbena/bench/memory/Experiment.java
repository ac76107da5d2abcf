package org.verbena.bench.memory;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.verbena.bench.figures.MeasurementException;
import org.verbena.bench.figures.Program;

/**
 * A program of this jar that prints {@link Numbers}, run in another virtual machine with the options of this one.
 *
 * @param name selected by {@code --only}
 * @param repeatable whether chance has a part in it; if not, one round is enough
 */
record Experiment(String name, Class<?> program, List<String> arguments, boolean repeatable) {
    private static final long LIMIT_SECONDS = 600;

    Experiment {
        arguments = List.copyOf(arguments);
    }

    static Experiment of(String name, Class<?> program, Object... arguments) {
        return new Experiment(
                name, program, List.of(arguments).stream().map(String::valueOf).toList(), true);
    }

    Experiment once() {
        return new Experiment(name, program, arguments, false);
    }

    /** Runs it once. */
    Numbers run() throws InterruptedException {
        List<String> all = new ArrayList<>();
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        all.add("-cp");
        all.add(System.getProperty("java.class.path"));
        all.add(program.getName());
        all.addAll(arguments);
        Program started = Program.of(all.toArray(String[]::new)).within(LIMIT_SECONDS);
        Numbers numbers;
        try {
            numbers = Numbers.parse(started.output());
        } catch (MeasurementException e) {
            // The message is published: it must not have paths of this machine.
            throw new MeasurementException(String.valueOf(e.getMessage()).replace(started.toString(), name), e);
        }
        if (numbers.keys().isEmpty()) {
            throw new MeasurementException(name + " printed no number");
        }
        return numbers;
    }
}
