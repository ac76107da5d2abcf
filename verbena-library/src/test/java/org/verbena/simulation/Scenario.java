package org.verbena.simulation;

import java.util.List;
import java.util.stream.Stream;
import org.verbena.link.wrap.LinkFaults;

/**
 * What the network does to packets, by name: {@code calm}, or a kind of fault and its rate in per cent, as in {@code
 * drop-1} or {@code all-0.1}; before it, where memory is: {@code paged-}, {@code guests-}, {@code failing-}; before that {@code fabric-} if three switches are
 * between the nodes. Everything else about a run comes from its seed.
 */
record Scenario(String name, LinkFaults faults, Paging paging, boolean switched) {
    private static final String SWITCHED = "fabric-";

    /** Where the memory of the nodes is. */
    enum Paging {
        /** Always there. */
        NONE,
        /** In overcommitted machine memory. */
        HOST,
        /** In guests, overcommitted as is the machine. */
        GUESTS,
        /** In overcommitted machine memory, of which the store sometimes cannot read a page. */
        FAILING;

        private String prefix() {
            return switch (this) {
                case NONE -> "";
                case HOST -> "paged-";
                case GUESTS -> "guests-";
                case FAILING -> "failing-";
            };
        }
    }

    private static final List<String> KINDS = List.of("drop", "duplicate", "reorder", "corrupt", "all");
    private static final List<String> RATES = List.of("0.1", "1", "10");

    /** The scenario with this name. */
    static Scenario named(String name) {
        boolean switched = name.startsWith(SWITCHED);
        String rest = switched ? name.substring(SWITCHED.length()) : name;
        Paging paging = Paging.NONE;
        for (Paging each : Paging.values()) {
            if (rest.startsWith(each.prefix())) {
                paging = each;
            }
        }
        return new Scenario(name, network(rest.substring(paging.prefix().length())), paging, switched);
    }

    private static LinkFaults network(String name) {
        if (name.equals("calm")) {
            return LinkFaults.NONE;
        }
        int dash = name.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("no scenario " + name + "; there are " + all());
        }
        double rate = Double.parseDouble(name.substring(dash + 1)) / 100;
        return faults(name.substring(0, dash), rate);
    }

    private static LinkFaults faults(String kind, double rate) {
        return switch (kind) {
            case "drop" -> LinkFaults.loss(rate);
            case "duplicate" -> new LinkFaults(0, rate, 0, 0);
            case "reorder" -> new LinkFaults(0, 0, rate, 0);
            case "corrupt" -> new LinkFaults(0, 0, 0, rate);
            case "all" -> LinkFaults.all(rate);
            default -> throw new IllegalArgumentException("no fault " + kind + "; there are " + KINDS);
        };
    }

    /** The same with three switches between the nodes. */
    Scenario overSwitches() {
        return named(SWITCHED + name);
    }

    /** Memory that comes and goes, on good networks and on bad ones. */
    static List<Scenario> paged() {
        return Stream.of("paged-", "guests-", "failing-")
                .flatMap(memory -> Stream.of("calm", "drop-1", "duplicate-10", "reorder-10", "all-1", "all-10")
                        .map(network -> named(memory + network)))
                .toList();
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
