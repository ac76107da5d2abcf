package org.verbena.simulation;

import java.util.List;
import java.util.stream.Stream;
import org.verbena.link.Faults;

/**
 * What the network does to packets, by name: {@code calm}, or a kind of fault and its rate in per cent, as in {@code
 * drop-1} or {@code all-0.1}. Everything else about a run comes from its seed.
 */
record Scenario(String name, Faults faults) {
    private static final List<String> KINDS = List.of("drop", "duplicate", "reorder", "corrupt", "all");
    private static final List<String> RATES = List.of("0.1", "1", "10");

    /** The scenario with this name. */
    static Scenario named(String name) {
        if (name.equals("calm")) {
            return new Scenario(name, Faults.NONE);
        }
        int dash = name.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("no scenario " + name + "; there are " + all());
        }
        double rate = Double.parseDouble(name.substring(dash + 1)) / 100;
        return new Scenario(name, faults(name.substring(0, dash), rate));
    }

    private static Faults faults(String kind, double rate) {
        return switch (kind) {
            case "drop" -> Faults.loss(rate);
            case "duplicate" -> new Faults(0, rate, 0, 0);
            case "reorder" -> new Faults(0, 0, rate, 0);
            case "corrupt" -> new Faults(0, 0, 0, rate);
            case "all" -> Faults.all(rate);
            default -> throw new IllegalArgumentException("no fault " + kind + "; there are " + KINDS);
        };
    }

    /** Calm, and every kind of fault at every rate. */
    static List<Scenario> all() {
        Stream<String> faulty = KINDS.stream().flatMap(kind -> RATES.stream().map(rate -> kind + "-" + rate));
        return Stream.concat(Stream.of("calm"), faulty).map(Scenario::named).toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
