package org.verbena.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class FiguresReportTest {
    private static final Machine MACHINE = new Machine("Some Processor", 2, "Linux 6", "Some VM 25");

    private static List<String> report(Figure... figures) throws InterruptedException {
        List<Figure> all = List.of(figures);
        Samples samples = new Rounds(1, _ -> {}).measure(all);
        return new FiguresReport(
                        all,
                        samples,
                        new Origin(
                                "./verbena bench figures --rounds 1",
                                1,
                                LocalDate.of(2026, 11, 15),
                                MACHINE,
                                OptionalDouble.of(3.4)))
                .lines();
    }

    @Test
    void aTargetIsARowWithRatioAndVerdict() throws InterruptedException {
        Subject peer = new Measured("peer", 1000);
        List<String> lines = report(new Figure(
                "speed",
                "MB/s",
                List.of(new Measured("ours", 1400)),
                List.of(new Requirement.AtLeastPeer(1.5, peer), new Requirement.AtLeast(1200))));
        assertTrue(lines.contains("| speed | MB/s | 1,400 | ≥ 1.5 × peer | 1,000 | 1.40 | **no** |"));
        assertTrue(lines.contains("| speed | MB/s | 1,400 | ≥ 1,200 |  | 1.17 | yes |"));
        assertTrue(lines.contains("| speed | peer | MB/s | 1,000 | 1,000 … 1,000 | 1 | `run peer` |"));
    }

    @Test
    void aPeerBesideOursIsNoTarget() throws InterruptedException {
        Subject peer = new Measured("peer", 1000);
        Figure figure = new Figure(
                "speed",
                "MB/s",
                List.of(new Measured("ours", 500)),
                List.of(new Requirement.AtLeast(400), new Requirement.Beside(peer, true)));
        assertTrue(report(figure).contains("| speed | MB/s | 500 | beside peer | 1,000 | 0.50 |  |"));
        assertEquals(
                List.of("ours", "peer"), figure.subjects().map(Subject::name).toList());
    }

    @Test
    void aMultipleOfAPeerIsAnUpperLimit() throws InterruptedException {
        List<String> lines = report(
                new Figure(
                        "time",
                        "µs",
                        List.of(new Measured("ours", 30)),
                        List.of(new Requirement.AtMostPeer(3, new Measured("peer", 10)))),
                new Figure(
                        "longer time",
                        "µs",
                        List.of(new Measured("ours", 31)),
                        List.of(new Requirement.AtMostPeer(3, new Measured("peer", 10)))));
        assertTrue(lines.contains("| time | µs | 30.0 | ≤ 3 × peer | 10.0 | 3.00 | yes |"), lines::toString);
        assertTrue(lines.contains("| longer time | µs | 31.0 | ≤ 3 × peer | 10.0 | 3.10 | **no** |"), lines::toString);
    }

    @Test
    void aFigureOfRunsTellsMedianAndWorstAndTheRunsThatReachTheTarget() throws InterruptedException {
        Subject peer = new Measured("peer", 30);
        Requirement[] targets = {new Requirement.AtLeast(40), new Requirement.Beside(peer, true)};
        List<String> lines = report(
                new Figure("rate", "per second", List.of(new Measured("ours", 60, 20, 50)), List.of(targets))
                        .inEachOf(3),
                new Figure("time", "µs", List.of(new Measured("ours", 6, 2, 5)), List.of(new Requirement.AtMost(6)))
                        .inEachOf(3));
        assertTrue(lines.contains(
                "| rate | per second | 50.0, worst 20.0 | ≥ 40, in each run |  | 1.25 | **no**, 2 of 3 |"));
        assertTrue(lines.contains("| rate | per second | 50.0 | beside peer | 30.0 | 1.67 |  |"));
        assertTrue(lines.contains("| time | µs | 5.00, worst 6.00 | ≤ 6, in each run |  | 0.83 | yes, 3 of 3 |"));
    }

    @Test
    void aRunThatFailsDoesNotReachTheTarget() throws InterruptedException {
        List<String> lines = report(new Figure(
                        "rate",
                        "per second",
                        List.of(new Measured("ours", 60, Double.NaN, 50)),
                        List.of(new Requirement.AtLeast(40)))
                .inEachOf(3));
        assertTrue(lines.contains(
                "| rate | per second | 55.0, worst 50.0 | ≥ 40, in each run |  | 1.38 | **no**, 2 of 3 |"));
    }

    @Test
    void aPeerOfTwoTargetsIsMeasuredOnceARound() {
        Subject peer = new Measured("peer", 1000);
        Figure figure = new Figure(
                "speed",
                "MB/s",
                List.of(new Measured("ours", 500)),
                List.of(new Requirement.AtLeastPeer(1, peer), new Requirement.Beside(peer, true)));
        assertEquals(
                List.of("ours", "peer"), figure.subjects().map(Subject::name).toList());
    }

    @Test
    void firstProgramsAreExplained() throws InterruptedException {
        Figure first = new Figure(
                "first program: copy", "MB/s", List.of(new Measured("ours", 1)), List.of(new Requirement.AtLeast(1)));
        assertTrue(String.join("\n", report(first)).contains("A *first program* is"));
        assertTrue(!String.join("\n", report()).contains("A *first program* is"));
    }

    @Test
    void whatWasNotMeasuredSaysWhy() throws InterruptedException {
        List<String> lines = report(new Figure(
                "speed",
                "MB/s",
                List.of(new Measured("ours", 1400)),
                List.of(new Requirement.AtMostPeer(Measured.missing("peer", "peer is not installed")))));
        assertTrue(lines.contains("| speed | MB/s | 1,400 | ≤ peer |  |  | not measured |"));
        assertTrue(lines.contains("| speed | peer | MB/s | peer is not installed |  | 0 | `run peer` |"));
    }

    @Test
    void commandMachineDateAndNoiseAreTold() throws InterruptedException {
        String page = String.join("\n", report());
        assertTrue(page.contains("    ./verbena bench figures --rounds 1"));
        assertTrue(page.contains("on 2026-11-15: Some Processor, 2 cores, Linux 6, Some VM 25."));
        assertTrue(page.contains("Other processes used 3 % of the machine meanwhile."));
    }

    @Test
    void valuesHaveThreeDigitsThatMeanSomething() {
        assertEquals("0.00", FiguresReport.value(0));
        assertEquals("6.66", FiguresReport.value(6.664));
        assertEquals("41.5", FiguresReport.value(41.52));
        assertEquals("2,750", FiguresReport.value(2750.4));
    }

    private static Figure named(String name) {
        return new Figure(name, "MB/s", List.of(new Measured("ours", 1)), List.of(new Requirement.AtLeast(1)));
    }

    @Test
    void aPageOfIwarpSaysSo() throws InterruptedException {
        assertEquals("# Figures of iWARP", report(named("iWARP speed")).getFirst());
        assertEquals("# Figures", report(named("iWARP speed"), named("speed")).getFirst());
    }

    @Test
    void aPageOfTheFabricSaysSo() throws InterruptedException {
        assertEquals("# Figures of the fabric", report(named("fabric load")).getFirst());
    }

    @Test
    void aValueWithoutATargetIsTold() throws InterruptedException {
        Figure figure =
                new Figure("heap", "MiB", List.of(new Measured("ours", 85)), List.of(new Requirement.Told(false)));
        assertTrue(report(figure).contains("| heap | MiB | 85.0 | none |  |  |  |"));
    }
}
