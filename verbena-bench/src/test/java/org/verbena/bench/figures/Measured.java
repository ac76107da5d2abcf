package org.verbena.bench.figures;

import org.jspecify.annotations.Nullable;

/** A subject whose values are known beforehand, one after another; NaN is a failure. */
final class Measured implements Subject {
    private final String name;
    private final @Nullable String missing;
    private final double[] values;
    private int next;

    Measured(String name, double... values) {
        this(name, null, values);
    }

    private Measured(String name, @Nullable String missing, double... values) {
        this.name = name;
        this.missing = missing;
        this.values = values;
    }

    static Measured missing(String name, String reason) {
        return new Measured(name, reason);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String command() {
        return "run " + name;
    }

    @Override
    public @Nullable String missing() {
        return missing;
    }

    @Override
    public double measure() {
        double value = values[next++];
        if (Double.isNaN(value)) {
            throw new MeasurementException(name + " is tired");
        }
        return value;
    }
}
