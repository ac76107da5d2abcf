package org.verbena.bench.figures;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A figure compared with one requirement.
 *
 * @param best the measurement of Verbena that counts; empty if there is none
 * @param ours its median
 * @param values all its values
 * @param needed the value that the requirement comes to
 */
record Result(
        Figure figure,
        Requirement target,
        Optional<Subject> best,
        OptionalDouble ours,
        List<Double> values,
        OptionalDouble needed) {

    static Result of(Figure figure, Requirement target, Samples samples) {
        Optional<Subject> best = best(figure, samples);
        OptionalDouble ours =
                best.map(subject -> samples.median(figure, subject)).orElse(OptionalDouble.empty());
        List<Double> values = best.map(samples::all).orElse(List.of());
        return new Result(figure, target, best, ours, values, needed(figure, target, samples));
    }

    /** The measurement of Verbena that counts: the one with the best median. */
    static Optional<Subject> best(Figure figure, Samples samples) {
        Comparator<Subject> byMedian = Comparator.comparingDouble(
                subject -> samples.median(figure, subject).orElseThrow());
        var measured = figure.ours().stream().filter(subject -> samples.count(subject) > 0);
        return figure.largerIsBetter() ? measured.max(byMedian) : measured.min(byMedian);
    }

    private static OptionalDouble needed(Figure figure, Requirement target, Samples samples) {
        return switch (target) {
            case Requirement.AtMost(double limit) -> OptionalDouble.of(limit);
            case Requirement.Told _ -> OptionalDouble.empty();
            case Requirement.Nothing(double residue) -> OptionalDouble.of(residue);
            case Requirement.AtLeast(double limit) -> OptionalDouble.of(limit);
            case Requirement.AtMostPeer(double times, Subject peer) -> multiple(times, samples.median(figure, peer));
            case Requirement.Beside(Subject peer, boolean _) -> samples.median(figure, peer);
            case Requirement.AtLeastPeer(double times, Subject peer) -> multiple(times, samples.median(figure, peer));
        };
    }

    private static OptionalDouble multiple(double times, OptionalDouble median) {
        return median.isPresent() ? OptionalDouble.of(times * median.getAsDouble()) : median;
    }

    boolean known() {
        return ours.isPresent() && (needed.isPresent() || target instanceof Requirement.Told);
    }

    /** Whether the requirement is met; without a target there only has to be a value. */
    boolean reached() {
        return known() && (!target.isTarget() || meets());
    }

    /** A run that failed has no value, and does not meet the requirement. */
    private boolean meets() {
        return figure.runs() > 0 ? runsThatMeet() == runs() : meets(ours.getAsDouble());
    }

    private boolean meets(double value) {
        return figure.largerIsBetter() ? value >= needed.getAsDouble() : value <= needed.getAsDouble();
    }

    /** Runs that there are, those that failed included. */
    int runs() {
        return Math.max(figure.runs(), values.size());
    }

    /** Runs whose own value meets the requirement. */
    long runsThatMeet() {
        return known() && target.isTarget()
                ? values.stream().filter(this::meets).count()
                : 0;
    }

    /** The worst value of all runs. */
    OptionalDouble worst() {
        var all = values.stream().mapToDouble(Double::doubleValue);
        return figure.largerIsBetter() ? all.min() : all.max();
    }

    /** The value of Verbena divided by the peer's value or the limit. Empty if the limit is zero. */
    OptionalDouble ratio() {
        if (!known() || target instanceof Requirement.Nothing || target instanceof Requirement.Told) {
            return OptionalDouble.empty();
        }
        double times = switch (target) {
            case Requirement.AtLeastPeer(double factor, Subject _) -> factor;
            case Requirement.AtMostPeer(double factor, Subject _) -> factor;
            default -> 1;
        };
        return OptionalDouble.of(ours.getAsDouble() * times / needed.getAsDouble());
    }
}
