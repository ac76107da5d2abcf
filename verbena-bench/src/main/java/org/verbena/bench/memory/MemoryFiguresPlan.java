package org.verbena.bench.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.verbena.bench.memory.Rig.Action;
import org.verbena.bench.memory.Row.Limit;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.verbs.AdapterOptions.Run;

/** The experiments, and the rows of the table with their limits. */
final class MemoryFiguresPlan {
    private static final int ACCESSES = 400_000;
    private static final Limit NONE = new Limit.None();

    private MemoryFiguresPlan() {}

    /** With measurements of a given number of seconds each. */
    static List<Experiment> experiments(int seconds) {
        List<Experiment> all = new ArrayList<>();
        for (Rig.Wire wire : Rig.Wire.values()) {
            all.add(Experiment.of("resident " + wire.label(), ResidentTraffic.class, wire, seconds));
        }
        all.add(Experiment.of("access", Pinning.class, 200L * seconds));
        for (Rig.Wire wire : Rig.Wire.values()) {
            all.add(Experiment.of("minor " + wire.label(), MinorFaults.class, wire, seconds));
            all.add(Experiment.of("major " + wire.label() + " cached", MajorFaults.class, wire, "cached", seconds));
            all.add(Experiment.of("major " + wire.label() + " disk", MajorFaults.class, wire, "disk", seconds));
            all.add(Experiment.of("cold " + wire.label(), ColdWrite.class, wire, seconds));
        }
        all.add(Experiment.of("storm 10 ms", Storm.class, Rig.Wire.UDP, 10, Run.INLINE, 2 * seconds));
        all.add(Experiment.of("storm 1 ms", Storm.class, Rig.Wire.UDP, 1, Run.INLINE, 2 * seconds));
        all.add(Experiment.of("storm 10 ms two threads", Storm.class, Rig.Wire.UDP, 10, Run.THREAD, 2 * seconds));
        all.add(Experiment.of("slow", SlowStore.class, Rig.Wire.UDP, 2 * seconds));
        all.add(Experiment.of("overcommit", Overcommit.class, ACCESSES).once());
        all.add(Experiment.of("overcommitted", OvercommitTraffic.class, Rig.Wire.UDP, seconds));
        all.add(Experiment.of("hot keys", HotKeyTraffic.class, Rig.Wire.UDP, seconds));
        all.add(Experiment.of("metadata", Metadata.class).once());
        return all;
    }

    /** All lines of the table, in the order of the promises. */
    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Rig.Wire wire : Rig.Wire.values()) {
            resident(rows, wire.label());
        }
        access(rows);
        for (Rig.Wire wire : Rig.Wire.values()) {
            minor(rows, wire.label());
        }
        for (Rig.Wire wire : Rig.Wire.values()) {
            major(rows, wire.label(), "cached", "in the page cache");
            major(rows, wire.label(), "disk", "on disk");
        }
        for (Rig.Wire wire : Rig.Wire.values()) {
            cold(rows, wire.label());
        }
        storm(rows, "10", Run.INLINE);
        storm(rows, "1", Run.INLINE);
        storm(rows, "10", Run.THREAD);
        slow(rows);
        metadata(rows);
        return rows;
    }

    private static void resident(List<Row> rows, String wire) {
        for (Action action : Action.values()) {
            for (int size : ResidentTraffic.SIZES) {
                String figure = "pageable against wired, " + action.label() + " " + bytes(size) + ", " + wire;
                rows.add(Row.of(
                        figure + ": throughput lost",
                        "%",
                        ResidentTraffic.key(wire, action, size, "loss %"),
                        new Limit.AtMost(3)));
                rows.add(Row.of(
                        figure + ": latency added",
                        "µs",
                        ResidentTraffic.key(wire, action, size, "added µs"),
                        new Limit.AtMost(0.2)));
            }
        }
    }

    private static void access(List<Row> rows) {
        String figure = "translate + pin + unpin";
        String[][] ways = {
            {"hostOnePage", "host, one page"},
            {"hostTwoPages", "host, across two pages"},
            {"guestOnePage", "guest, one page"},
            {"guestTwoPages", "guest, across two pages"}
        };
        for (String[] way : ways) {
            rows.add(Row.of(figure + ", " + way[1], "ns", Pinning.key(way[0], "ns"), new Limit.AtMost(70)));
            rows.add(Row.always(
                    figure + ", " + way[1] + ": allocated", "B", Pinning.key(way[0], "B"), new Limit.Exactly(0)));
        }
        for (String length : new String[] {"64", "4096"}) {
            for (String way : new String[] {"place", "gather"}) {
                rows.add(Row.of(
                        way + " " + length + " B, pageable memory",
                        "ns",
                        Pinning.key(way + "Paged " + length, "ns"),
                        NONE));
                rows.add(Row.of(
                        way + " " + length + " B, the consumer's own memory",
                        "ns",
                        Pinning.key(way + "Foreign " + length, "ns"),
                        NONE));
            }
        }
        rows.add(Row.of(
                "CPU of a fault and an eviction, without link and disk", "ns", Pinning.key("fault 64", "ns"), NONE));
    }

    private static void minor(List<Row> rows, String wire) {
        String[][] kinds = {
            {"zero-fill", "WRITE"}, {"zero-fill", "READ"},
            {"write-back", "WRITE"}, {"write-back", "READ"},
            {"overwrite", "WRITE"}
        };
        for (String[] kind : kinds) {
            Action action = Action.valueOf(kind[1]);
            String figure = kind[0] + " fault, " + action.label() + ", " + wire;
            rows.add(Row.of(
                    figure + ": added", "µs", MinorFaults.key(wire, kind[0], action, "added µs"), new Limit.AtMost(6)));
            rows.add(Row.always(
                    figure + ": RNR NAKs",
                    "",
                    MinorFaults.key(wire, kind[0], action, "RNR NAKs"),
                    new Limit.Exactly(0)));
        }
    }

    private static void major(List<Row> rows, String wire, String place, String words) {
        for (Action action : Action.values()) {
            String figure = "major fault, " + action.label() + " 4 KiB, " + words + ", " + wire;
            for (String share : new String[] {"p50", "p99"}) {
                rows.add(Row.of(
                        figure + ": " + share,
                        "µs",
                        MajorFaults.key(wire, place, action, share + " µs"),
                        new Limit.AtMostMeasured(
                                MajorFaults.key(wire, place, action, "allowed " + share + " µs"),
                                "store + 2 round trips")));
            }
            rows.add(Row.of(
                    figure + ": waits that took the whole RNR time",
                    "per fault",
                    MajorFaults.key(wire, place, action, "resumed by timer"),
                    new Limit.AtMost(0.01)));
            rows.add(Row.always(
                    figure + ": resumed by ACK timeout",
                    "",
                    MajorFaults.key(wire, place, action, "resumed by ACK timeout"),
                    new Limit.Exactly(0)));
        }
    }

    private static void cold(List<Row> rows, String wire) {
        for (String way : new String[] {"unaligned", "aligned"}) {
            String figure = "cold 4 MiB write, " + way + ", " + wire;
            rows.add(Row.of(
                    figure,
                    "µs",
                    ColdWrite.key(wire, way + " µs"),
                    new Limit.AtMostMeasured(
                            ColdWrite.key(wire, way + " allowed µs"), "2 × the 4 KiB fault + streaming time")));
            rows.add(Row.always(
                    figure + ": RNR NAKs of the worst write",
                    "",
                    ColdWrite.key(wire, way + " RNR NAKs of the worst write"),
                    new Limit.Exactly(way.equals("aligned") ? 0 : 1)));
        }
    }

    private static void storm(List<Row> rows, String storeMs, Run farRun) {
        String figure = "storm, 64 queue pairs fault, store " + storeMs + " ms"
                + (farRun == Run.THREAD ? ", an engine's thread at the far end" : "");
        String wire = Rig.Wire.UDP.label();
        rows.add(Row.of(
                figure + ": p99 of the hot one over undisturbed",
                "×",
                Storm.key(wire, storeMs, farRun, "p99 ratio"),
                new Limit.AtMost(1.2)));
        rows.add(Row.of(
                figure + ": over the same rate of writes without faults",
                "×",
                Storm.key(wire, storeMs, farRun, "p99 over resident traffic"),
                NONE));
        rows.add(Row.of(
                figure + ": packets of anybody during a request of the hot one, p99; 4 are its own",
                "",
                Storm.key(wire, storeMs, farRun, "in the storm packets p99"),
                NONE));
        rows.add(Row.of(figure + ": faults", "per s", Storm.key(wire, storeMs, farRun, "faults per second"), NONE));
        rows.add(Row.always(
                figure + ": RNR NAKs per fault",
                "",
                Storm.key(wire, storeMs, farRun, "RNR NAKs per fault"),
                new Limit.AtMost(2)));
        rows.add(Row.always(
                figure + ": ACK timeouts", "", Storm.key(wire, storeMs, farRun, "ACK timeouts"), new Limit.Exactly(0)));
    }

    private static void slow(List<Row> rows) {
        for (String who : new String[] {"another queue pair", "the same queue pair"}) {
            rows.add(Row.of(
                    "10 faults/s of 10 ms on " + who + ": resident traffic lost",
                    "%",
                    SlowStore.key(Rig.Wire.UDP.label(), who, "loss %"),
                    new Limit.AtMost(10)));
        }
    }

    private static void metadata(List<Row> rows) {
        for (Hypervisor.Policy policy : Hypervisor.Policy.values()) {
            for (int times : Metadata.TIMES) {
                rows.add(Row.of(
                        "metadata, " + policy.name().toLowerCase(Locale.ROOT).replace('_', '-') + ", " + times
                                + " × machine memory",
                        "B per page",
                        Metadata.key(policy, times),
                        new Limit.AtMost(24)));
            }
        }
    }

    static String bytes(int size) {
        return size < 1 << 10 ? size + " B" : size < 1 << 20 ? (size >> 10) + " KiB" : (size >> 20) + " MiB";
    }
}
