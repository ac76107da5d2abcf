package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.bench.first.BusyProcess;
import org.verbena.bench.first.Reading;
import org.verbena.bench.first.Readings;

/**
 * A program of {@link org.verbena.bench.first}: a server and one or several clients, each in a virtual machine of its own with the
 * options of this one. One run gives several readings; each reading is a subject, and the subjects share the runs. One thread.
 */
final class FirstProgram {
    /** The name by which {@code --only} selects all of them. */
    static final String SELECTED_BY = "first program";

    /**
     * Seconds that a program runs before it counts. The optimizing compiler of each virtual machine works for four to six seconds, on
     * the two cores that the programs use.
     */
    static final int WARM_UP_SECONDS = 12;

    /** Seconds before the count where the first seconds are what is measured. */
    static final int SHORT_WARM_UP_SECONDS = 1;

    private static final long LIMIT_SECONDS = 180;

    private final String name;
    private final Class<?> program;
    private final String seconds;
    private final String more;
    private int clients = 1;
    private boolean besideBusyProcess;
    private String warmUpSeconds = Integer.toString(WARM_UP_SECONDS);
    private final List<Run> runs = new ArrayList<>();
    private final Map<Reading, Subject> subjects = new EnumMap<>(Reading.class);

    private FirstProgram(String name, Class<?> program, String seconds, String more) {
        this.name = name;
        this.program = program;
        this.seconds = seconds;
        this.more = more;
    }

    /**
     * A program with one client.
     *
     * @param more the argument of its own
     */
    static FirstProgram of(String name, Class<?> program, double seconds, Object more) {
        return new FirstProgram(name, program, Double.toString(seconds), more.toString());
    }

    /** The same, not yet run, with this many client processes; the output of the first one counts. */
    FirstProgram clients(int count) {
        clients = count;
        return this;
    }

    /** The same, not yet run, beside a process that uses a core all the time. */
    FirstProgram besideBusyProcess() {
        besideBusyProcess = true;
        return this;
    }

    /** The same, not yet run, counted in its first seconds. */
    FirstProgram inFirstSeconds() {
        return warmUp(SHORT_WARM_UP_SECONDS);
    }

    /** The same, not yet run, with another time before it counts. */
    FirstProgram warmUp(double other) {
        warmUpSeconds = Double.toString(other);
        return this;
    }

    /** The subject whose value is this reading of the program; always the same one. */
    Subject reading(Reading reading) {
        return subjects.computeIfAbsent(reading, OneReading::new);
    }

    /** Runs so far. */
    int runCount() {
        return runs.size();
    }

    /** Runs the program once. */
    private Run run() throws InterruptedException {
        try {
            return new Run(Readings.parse(besideBusyProcess ? outputBesideBusyProcess() : output()), "");
        } catch (IllegalArgumentException | MeasurementException e) {
            return new Run(null, String.valueOf(e.getMessage()));
        }
    }

    private String outputBesideBusyProcess() throws InterruptedException {
        try (Program.Running _ = OwnProcess.program(BusyProcess.class).start()) {
            return output();
        }
    }

    private String output() throws InterruptedException {
        String port = Integer.toString(ServerAndClient.freePort());
        Program client = process("client", port);
        List<Program.Running> others = new ArrayList<>();
        try (Program.Running server = process("server", port).start()) {
            for (int i = 1; i < clients; i++) {
                others.add(client.start());
            }
            try {
                String output = client.output();
                for (Program.Running other : others) {
                    other.output();
                }
                return output;
            } catch (MeasurementException e) {
                throw withoutPaths(server.isAlive() ? e : failureOf(server, e));
            }
        } finally {
            others.forEach(Program.Running::close);
        }
    }

    private Program process(String role, String port) {
        return OwnProcess.program(program, role, port, warmUpSeconds, seconds, more)
                .within(LIMIT_SECONDS);
    }

    /** The failure of a server that has ended, or that of its client if the server did not fail. */
    private static MeasurementException failureOf(Program.Running server, MeasurementException ofClient)
            throws InterruptedException {
        try {
            server.output();
            return ofClient;
        } catch (MeasurementException e) {
            return e;
        }
    }

    /** The message is published: it must not have paths of this machine. */
    private MeasurementException withoutPaths(MeasurementException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf(program.getName());
        int begin = message.indexOf(OwnProcess.java());
        return begin < 0 || end < begin
                ? e
                : new MeasurementException(message.substring(0, begin) + message.substring(end), e);
    }

    /**
     * One run.
     *
     * @param readings null if it failed
     * @param failure its reason
     */
    private record Run(@Nullable Readings readings, String failure) {}

    /** A reading of the runs, one after another. */
    private final class OneReading implements Subject {
        private final Reading reading;
        private int next;

        private OneReading(Reading reading) {
            this.reading = reading;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String command() {
            return "./verbena bench figures --only '" + SELECTED_BY + "'";
        }

        @Override
        public @Nullable String missing() {
            return null;
        }

        @Override
        public double measure() throws InterruptedException {
            if (next == runs.size()) {
                runs.add(run());
            }
            Run run = runs.get(next++);
            if (run.readings == null) {
                throw new MeasurementException(run.failure);
            }
            try {
                return run.readings.value(reading);
            } catch (IllegalArgumentException e) {
                throw new MeasurementException(String.valueOf(e.getMessage()), e);
            }
        }
    }
}
