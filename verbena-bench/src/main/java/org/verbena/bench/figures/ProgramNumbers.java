package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that prints a line with several numbers. Each number is a subject, and the n-th measurement of each of them is of the n-th run: one run gives all numbers of
 * a round.
 */
final class ProgramNumbers {
    private final String name;
    private final String command;
    private final Program program;
    private final @Nullable String missing;
    private final List<Run> runs = new ArrayList<>();

    /**
     * A program that has not run yet.
     *
     * @param name of its subjects
     * @param command that repeats it
     * @param missing why it cannot run here; null if it can
     */
    ProgramNumbers(String name, String command, Program program, @Nullable String missing) {
        this.name = name;
        this.command = command;
        this.program = program;
        this.missing = missing;
    }

    /**
     * A new subject whose value is one of the numbers.
     *
     * @param index of the number in the line
     */
    Subject number(int index) {
        return new OneNumber(index);
    }

    private Run run() throws InterruptedException {
        try {
            return new Run(program.output().strip(), "");
        } catch (MeasurementException e) {
            // The message is published: it must not have paths of this machine.
            return new Run("", String.valueOf(e.getMessage()).replace(program.toString(), command));
        }
    }

    /**
     * One run.
     *
     * @param printed empty if it failed
     * @param failure its reason
     */
    private record Run(String printed, String failure) {
        double number(int index) {
            if (printed.isEmpty()) {
                throw new MeasurementException(failure.isEmpty() ? "numbers expected; nothing found" : failure);
            }
            String[] numbers = printed.split("\\s+", -1);
            try {
                return Double.parseDouble(numbers[index]);
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new MeasurementException("a number at " + index + " expected; found " + printed, e);
            }
        }
    }

    /** One number of each run. */
    private final class OneNumber implements Subject {
        private final int index;
        private int next;

        private OneNumber(int index) {
            this.index = index;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String command() {
            return command;
        }

        @Override
        public @Nullable String missing() {
            return missing;
        }

        @Override
        public double measure() throws InterruptedException {
            if (next == runs.size()) {
                runs.add(run());
            }
            return runs.get(next++).number(index);
        }
    }
}
