package org.verbena.bench.first;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The numbers of one run of a first program: printed by its client, a line {@code name value} each. One thread. */
public final class Readings {
    private final Map<Reading, Double> values = new EnumMap<>(Reading.class);

    /** With the time that this process has run so far. To be called when the count begins. */
    static Readings begin() {
        return new Readings()
                .with(
                        Reading.RAN_BEFORE_SECONDS,
                        ManagementFactory.getRuntimeMXBean().getUptime() / 1e3);
    }

    Readings with(Reading reading, double value) {
        values.put(reading, value);
        return this;
    }

    void print(PrintStream out) {
        values.forEach((reading, value) -> out.printf(Locale.ROOT, "%s %.6g%n", reading.label(), value));
        out.flush();
    }

    /**
     * Reads the output of a client.
     *
     * @throws IllegalArgumentException if a line is none of a known reading, a reading stands there twice or is no finite number, or
     *     the time before the count is missing
     */
    public static Readings parse(String output) {
        Readings readings = new Readings();
        output.lines().forEach(line -> {
            String[] words = line.split(" ", -1);
            if (words.length != 2) {
                throw new IllegalArgumentException("a line 'name value' expected; found: " + line);
            }
            Reading reading = known(words[0]);
            if (readings.values.put(reading, finite(words[1], line)) != null) {
                throw new IllegalArgumentException("the reading " + reading.label() + " is printed twice");
            }
        });
        readings.value(Reading.RAN_BEFORE_SECONDS);
        return readings;
    }

    private static Reading known(String label) {
        for (Reading reading : Reading.values()) {
            if (reading.label().equals(label)) {
                return reading;
            }
        }
        throw new IllegalArgumentException("a known reading expected; found: " + label);
    }

    private static double finite(String text, String line) {
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a number expected in: " + line, e);
        }
        throw new IllegalArgumentException("a finite number expected in: " + line);
    }

    /**
     * The value of a reading.
     *
     * @throws IllegalArgumentException if the program did not print it
     */
    public double value(Reading reading) {
        Double value = values.get(reading);
        if (value == null) {
            throw new IllegalArgumentException("the reading " + reading.label() + " is not printed, only " + values);
        }
        return value;
    }
}
