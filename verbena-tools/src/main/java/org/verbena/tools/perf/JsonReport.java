package org.verbena.tools.perf;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** A report as one JSON object on one line: for programs, so its fields are only ever added to. */
final class JsonReport {
    private JsonReport() {}

    static String of(PerfReport report) {
        PerfReport.Times times = report.timesUs();
        return "{\"op\": \"" + report.operation() + "\", \"mode\": \"" + report.mode() + "\", \"link\": \""
                + report.link() + "\", \"size\": " + report.size() + ", \"messages\": " + report.messages()
                + ", \"seconds\": " + number(report.seconds(), 6)
                + ", \"mbytes_per_second\": " + number(report.bytesPerSecond() / 1e6, 3)
                + ", \"messages_per_second\": " + number(report.messagesPerSecond(), 1)
                + ", \"latency_us\": {\"min\": " + number(times.min(), 3) + ", \"p50\": " + number(times.p50(), 3)
                + ", \"p99\": " + number(times.p99(), 3) + ", \"p999\": " + number(times.p999(), 3)
                + ", \"max\": " + number(times.max(), 3)
                + "}, \"allocated_bytes_per_message\": " + number(report.allocatedBytesPerMessage(), 3)
                + ", \"errors\": " + report.errors() + "}";
    }

    /** Plain digits, never an exponent. */
    private static String number(double value, int decimals) {
        return BigDecimal.valueOf(value)
                .setScale(decimals, RoundingMode.HALF_UP)
                .toPlainString();
    }
}
