package org.verbena.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.bench.figures.Machine;
import org.verbena.bench.figures.MeasurementException;
import org.verbena.bench.figures.Origin;
import org.verbena.bench.memory.Row.Limit;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.time.Seed;

final class MemoryFiguresReportTest {
    private final Numbers numbers = Numbers.parse("""
            noise of the virtual machine
            number a b µs = 4.5
            number a b µs = 1.5
            number a b µs = 2.5
            number limit = 2.0
            number naks = 0
            number naks = 1
            """);

    private List<String> report(Row... rows) {
        return new MemoryFiguresReport(
                        List.of(rows),
                        numbers,
                        new Origin(
                                "./verbena bench memory",
                                3,
                                LocalDate.of(2026, 11, 15),
                                new Machine("Some Processor", 2, "Linux 6", "Some VM 25"),
                                OptionalDouble.of(3.4)),
                        Map.of("storm", "it was too windy"))
                .lines();
    }

    @Test
    void aRowHasMedianTargetAndVerdict() {
        List<String> lines = report(
                Row.of("one", "µs", "a b µs", new Limit.AtMost(3)),
                Row.of("two", "µs", "a b µs", new Limit.AtMostMeasured("limit", "so long")),
                Row.of("three", "µs", "a b µs", new Limit.None()));
        assertTrue(lines.contains("| one | µs | 2.50 | ≤ 3 | yes |"));
        assertTrue(lines.contains("| two | µs | 2.50 | ≤ 2 (so long) | **no** |"));
        assertTrue(lines.contains("| three | µs | 2.50 |  |  |"));
        assertTrue(lines.contains("| a b µs | 2.50 | 1.50 … 4.50 | 3 |"));
    }

    @Test
    void whatMustHoldAlwaysIsJudgedByItsWorst() {
        assertTrue(
                report(Row.always("naks", "", "naks", new Limit.Exactly(0))).contains("| naks |  | 1 | 0 | **no** |"));
    }

    @Test
    void whatWasNotMeasuredIsNotHidden() {
        List<String> lines = report(Row.of("one", "µs", "nothing", new Limit.AtMost(3)));
        assertTrue(lines.contains("| one | µs |  | ≤ 3 | not measured |"));
        assertTrue(lines.contains("- storm failed: it was too windy"));
    }

    @Test
    void aLineThatIsNoNumberIsTold() {
        assertThrows(MeasurementException.class, () -> Numbers.parse("number a = b"));
    }

    @Test
    void hotKeysHaveATableWithBothLayouts() {
        String heading = "5 % of the keys get 95 % of the reads";
        assertFalse(report().stream().anyMatch(line -> line.contains(heading)));
        numbers.add(HotKeyTraffic.key(512, 4, HotKeys.Layout.SCATTERED, "hot pages %"), 134);
        numbers.add(HotKeyTraffic.key(512, 4, HotKeys.Layout.SCATTERED, "reads/s"), 7000);
        numbers.add(HotKeyTraffic.key(512, 4, HotKeys.Layout.SCATTERED, "faults per read"), 0.5);
        numbers.add(HotKeyTraffic.key(512, 4, HotKeys.Layout.TOGETHER, "reads/s"), 70_000);
        List<String> lines = report();
        assertTrue(lines.stream().anyMatch(line -> line.contains(heading)));
        assertTrue(lines.contains("| 512 B | 4 | 134 | 7,000 | 0.50 |  | 70,000 |  |"));
    }

    @Test
    void everyRowHasANameAndANumberOfItsOwn() {
        Set<String> figures = new HashSet<>();
        Set<String> keys = new HashSet<>();
        for (Row row : MemoryFiguresPlan.rows()) {
            assertTrue(figures.add(row.figure()), row.figure());
            assertTrue(keys.add(row.key()), row.key());
        }
    }

    @Test
    void thePlotHasALineForEachPolicyInEachPanel() {
        numbers.add(Overcommit.key(Trace.SCAN, 2, "bound"), 50);
        List<String> svg = new OvercommitPlot(numbers).lines();
        assertEquals(
                4L * Trace.values().length,
                svg.stream().filter(line -> line.startsWith("<polyline")).count());
        assertTrue(svg.stream().anyMatch(line -> line.contains("points=\"100.0,110.0\"")));
        assertEquals("</svg>", svg.getLast());
    }

    @Test
    void noPolicyBeatsTheBoundAndEnoughMemoryMissesNothing() {
        int[] trace = Trace.ZIPF.draw(2048, 20_000, new Seed(1));
        for (Hypervisor.Policy policy : Hypervisor.Policy.values()) {
            double hits = Overcommit.hits(policy, trace, 2048, 5000);
            assertTrue(hits > 5000);
            assertTrue(hits <= Bound.belady(trace, 1024, 5000) + 1024);
            assertEquals(15_000, Overcommit.hits(policy, Trace.SCAN.draw(512, 20_000, new Seed(1)), 512, 5000));
        }
        assertFalse(numbers.keys().isEmpty());
    }
}
