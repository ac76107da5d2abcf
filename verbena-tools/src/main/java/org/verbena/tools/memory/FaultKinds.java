package org.verbena.tools.memory;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.verbena.tools.console.Figures;
import org.verbena.trace.Counter;

/** The operations in which an adapter meets page faults, with the counter of each. */
final class FaultKinds {
    private record Kind(String name, Counter counter) {}

    private static final List<Kind> ALL = List.of(
            new Kind("write", Counter.WRITE_PAGE_FAULTS),
            new Kind("send", Counter.SEND_PAGE_FAULTS),
            new Kind("atomic", Counter.ATOMIC_PAGE_FAULTS),
            new Kind("read", Counter.RESPONSE_PAGE_FAULTS),
            new Kind("gather", Counter.GATHER_PAGE_FAULTS),
            new Kind("landing", Counter.LANDING_PAGE_FAULTS));

    private FaultKinds() {}

    /** Page faults of all kinds. */
    static long sum(Snapshot seen) {
        return ALL.stream().mapToLong(kind -> seen.count(kind.counter)).sum();
    }

    /** A number for each kind, in one line. */
    static String text(ToDoubleFunction<Counter> number) {
        return ALL.stream()
                .map(kind -> Figures.format("%s %,.0f", kind.name, number.applyAsDouble(kind.counter)))
                .collect(Collectors.joining("  "));
    }
}
