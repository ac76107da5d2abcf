package org.verbena.bench.memory;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A line of the table: a number and its limit.
 *
 * @param figure in words
 * @param key of the number
 * @param worst whether the largest of all rounds counts, not the median: a count that must hold always
 */
record Row(String figure, String unit, String key, Limit limit, boolean worst) {
    /** The limit of a number. */
    sealed interface Limit {
        /** At most a given number. */
        record AtMost(double most) implements Limit {}

        /** Exactly a given number. */
        record Exactly(double wanted) implements Limit {}

        /** At most another number of the same run, which is explained in words. */
        record AtMostMeasured(String otherKey, String words) implements Limit {}

        /** For comparison only. */
        record None() implements Limit {}
    }

    /** Compared by the median of the rounds. */
    static Row of(String figure, String unit, String key, Limit limit) {
        return new Row(figure, unit, key, limit, false);
    }

    /** Compared by the worst of the rounds. */
    static Row always(String figure, String unit, String key, Limit limit) {
        return new Row(figure, unit, key, limit, true);
    }

    OptionalDouble ours(Numbers numbers) {
        return worst && numbers.count(key) > 0 ? OptionalDouble.of(numbers.most(key)) : numbers.median(key);
    }

    /** The number that the limit comes to; empty if there is none or it was not measured. */
    OptionalDouble needed(Numbers numbers) {
        return switch (limit) {
            case Limit.AtMost(double most) -> OptionalDouble.of(most);
            case Limit.Exactly(double wanted) -> OptionalDouble.of(wanted);
            case Limit.AtMostMeasured(String otherKey, String _) -> numbers.median(otherKey);
            case Limit.None _ -> OptionalDouble.empty();
        };
    }

    /** Whether the limit is reached; null if there is no limit or a number was not measured. */
    @Nullable
    Boolean reached(Numbers numbers) {
        OptionalDouble ours = ours(numbers);
        OptionalDouble needed = needed(numbers);
        if (ours.isEmpty() || needed.isEmpty()) {
            return null;
        }
        boolean exact = limit instanceof Limit.Exactly;
        return exact ? ours.getAsDouble() == needed.getAsDouble() : ours.getAsDouble() <= needed.getAsDouble();
    }
}
