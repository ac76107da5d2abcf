package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The measured values of each subject, or the reason why there are none. */
final class Samples {
    private final Map<Subject, List<Double>> values = new HashMap<>();
    private final Map<Subject, String> failures = new HashMap<>();

    void add(Subject subject, double value) {
        values.computeIfAbsent(subject, _ -> new ArrayList<>()).add(value);
    }

    void fail(Subject subject, String reason) {
        failures.put(subject, reason);
    }

    /** The reason why the last try failed; empty if it succeeded. */
    String failure(Subject subject) {
        return failures.getOrDefault(subject, "");
    }

    int count(Subject subject) {
        return of(subject).size();
    }

    /** The value of a subject that counts in a figure: the median of all its values, or of the better half of them. */
    OptionalDouble median(Figure figure, Subject subject) {
        return figure.betterHalves() ? median(betterHalf(figure, of(subject))) : median(subject);
    }

    /** The middle value of all stays in the half. */
    private static List<Double> betterHalf(Figure figure, List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = (sorted.size() + 1) / 2;
        return figure.largerIsBetter() ? sorted.subList(sorted.size() - half, sorted.size()) : sorted.subList(0, half);
    }

    /** The middle value, or the mean of the two in the middle. */
    OptionalDouble median(Subject subject) {
        return median(of(subject));
    }

    private static OptionalDouble median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        if (sorted.isEmpty()) {
            return OptionalDouble.empty();
        }
        int half = sorted.size() / 2;
        return OptionalDouble.of(
                sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2);
    }

    double least(Subject subject) {
        return Collections.min(of(subject));
    }

    double most(Subject subject) {
        return Collections.max(of(subject));
    }

    /** All values, in the order in which they were measured. */
    List<Double> all(Subject subject) {
        return List.copyOf(of(subject));
    }

    private List<Double> of(Subject subject) {
        return values.getOrDefault(subject, List.of());
    }
}
