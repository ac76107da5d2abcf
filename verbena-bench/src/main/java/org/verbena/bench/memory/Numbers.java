package org.verbena.bench.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.verbena.bench.figures.MeasurementException;

/** Named values, each measured once or several times. Experiments print them, a line each; rows of the table show them. */
final class Numbers {
    private static final String MARK = "number ";

    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    /** Adds a value. */
    void add(String key, double value) {
        values.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
    }

    /** Adds all values of another object. */
    void addAll(Numbers other) {
        other.values.forEach((key, list) -> list.forEach(value -> add(key, value)));
    }

    /** For an experiment: reports a value. */
    static void print(String key, double value) {
        System.out.println(MARK + key + " = " + String.format(Locale.ROOT, "%.6g", value));
    }

    /** A count. */
    static void print(String key, long count) {
        print(key, (double) count);
    }

    /** Reads the output of an experiment; other lines are skipped. */
    static Numbers parse(String output) {
        Numbers numbers = new Numbers();
        output.lines().filter(line -> line.startsWith(MARK)).forEach(line -> {
            int equals = line.lastIndexOf(" = ");
            try {
                numbers.add(line.substring(MARK.length(), equals), Double.parseDouble(line.substring(equals + 3)));
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new MeasurementException("not a line of the form 'number KEY = VALUE': " + line, e);
            }
        });
        return numbers;
    }

    Set<String> keys() {
        return Collections.unmodifiableSet(values.keySet());
    }

    int count(String key) {
        return of(key).size();
    }

    /** The middle value, or the mean of the two in the middle. */
    OptionalDouble median(String key) {
        List<Double> sorted = of(key).stream().sorted().toList();
        if (sorted.isEmpty()) {
            return OptionalDouble.empty();
        }
        int half = sorted.size() / 2;
        return OptionalDouble.of(
                sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2);
    }

    double least(String key) {
        return Collections.min(of(key));
    }

    double most(String key) {
        return Collections.max(of(key));
    }

    private List<Double> of(String key) {
        return values.getOrDefault(key, List.of());
    }
}
