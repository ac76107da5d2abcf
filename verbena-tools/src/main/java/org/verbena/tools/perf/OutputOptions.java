package org.verbena.tools.perf;

import picocli.CommandLine.Option;

/** Options of the output. */
final class OutputOptions {
    @Option(
            names = "--json",
            description =
                    "Write one JSON object to standard output and nothing else there. Fields: op, mode, link, size,"
                            + " messages, seconds, mbytes_per_second, messages_per_second, latency_us {min, p50, p99, p999,"
                            + " max}, allocated_bytes_per_message, errors.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    boolean json() {
        return json;
    }
}
