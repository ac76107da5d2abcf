package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ReportTest {
    private final Tally tally = new Tally();

    @Test
    void jsonHasExactlyTheseFieldsInThisOrder() {
        PerfReport report = new PerfReport(
                PerfOperation.WRITE_IMM,
                PerfMode.BANDWIDTH,
                LinkKind.INPROCESS,
                1000,
                3000,
                1.5,
                new PerfReport.Times(1, 2.25, 3.5, 1e7, 1.0625e9),
                6,
                1,
                "it \"broke\"");
        assertEquals(
                "{\"op\": \"write-imm\", \"mode\": \"bw\", \"link\": \"inprocess\", \"size\": 1000, \"messages\": 3000,"
                        + " \"seconds\": 1.500000, \"mbytes_per_second\": 2.000, \"messages_per_second\": 2000.0,"
                        + " \"latency_us\": {\"min\": 1.000, \"p50\": 2.250, \"p99\": 3.500, \"p999\": 10000000.000,"
                        + " \"max\": 1062500000.000}, \"allocated_bytes_per_message\": 0.002, \"errors\": 1}",
                JsonReport.of(report));
    }

    @Test
    void latencyIsHalfOfTheRoundTripAndBothArePrinted() {
        tally.begin(0);
        for (int i = 0; i < 10; i++) {
            tally.time(2_000);
        }
        tally.count(10, 20_000);
        PerfReport report = PerfReport.of(PerfPlan.of(PerfOperation.SEND, PerfMode.LATENCY), LinkKind.UDP, tally, 0);
        assertEquals(1.0, report.timesUs().p50(), 0.01);
        String text = String.join("\n", TextReport.of(report, "somehow"));
        assertTrue(text.contains("latency     min 1.00"), text);
        assertTrue(text.contains("round trip  min 2.00"), text);
    }

    @Test
    void bandwidthTimesAreWhole() {
        tally.begin(0);
        tally.time(2_000);
        tally.count(1, 2_000);
        PerfReport report = PerfReport.of(PerfPlan.of(PerfOperation.SEND, PerfMode.BANDWIDTH), LinkKind.UDP, tally, 0);
        assertEquals(2.0, report.timesUs().max(), 0.01);
    }

    @Test
    void nothingMeasuredIsZeroEverywhere() {
        PerfReport report = PerfReport.of(PerfPlan.of(PerfOperation.SEND, PerfMode.LATENCY), LinkKind.UDP, tally, 100);
        assertEquals(0, report.messagesPerSecond());
        assertEquals(0, report.allocatedBytesPerMessage());
        assertTrue(JsonReport.of(report).contains("\"max\": 0.000"));
    }

    @Test
    void errorsOfBothEndsAreOneSumAndTheFirstIsTold() {
        tally.fail("one");
        tally.fail("two");
        PerfReport report = PerfReport.of(PerfPlan.of(PerfOperation.SEND, PerfMode.LATENCY), LinkKind.UDP, tally, 0)
                .with(0, 3, "other");
        assertEquals(5, report.errors());
        assertTrue(String.join("\n", TextReport.of(report, "somehow")).contains("errors      5: one"));
    }
}
