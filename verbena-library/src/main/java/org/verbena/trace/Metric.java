package org.verbena.trace;

import java.util.List;

/**
 * The description of one metric. Immutable.
 *
 * @param group the kind of source it belongs to, such as {@code adapter} or {@code link}
 * @param name its name within the group, where possible the one that RDMA tools show; lower case, digits and underscores
 * @param kind how its value behaves
 * @param unit what it counts
 * @param help one sentence without a full stop
 * @param labels names of its labels: those of its group, then its own
 */
public record Metric(String group, String name, MetricKind kind, Unit unit, String help, List<String> labels) {
    public Metric {
        labels = List.copyOf(labels);
        requireName(group);
        requireName(name);
        labels.forEach(Metric::requireName);
    }

    /** Group and name, which together are unique: {@code adapter.sent_pkts}. */
    public String fullName() {
        return group + "." + name;
    }

    private static void requireName(String text) {
        if (!text.matches("[a-z][a-z0-9_]*")) {
            throw new IllegalArgumentException(
                    "a name of lower case letters, digits and underscores expected; found \"" + text + "\"");
        }
    }
}
