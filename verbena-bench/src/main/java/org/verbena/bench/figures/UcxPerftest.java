package org.verbena.bench.figures;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** UCX's own benchmark over TCP on the loopback interface. */
final class UcxPerftest implements Subject {
    private static final String PROGRAM = "ucx_perftest";
    private static final Map<String, String> TCP_ON_LOOPBACK = Map.of(
            "UCX_TLS", "tcp,self",
            "UCX_NET_DEVICES", "lo",
            "UCX_LOG_LEVEL", "error",
            "UCX_WARN_UNUSED_ENV_VARS", "n");
    private static final double MIB_IN_MB = 1.048576;

    /** Columns of the last line, behind its label. */
    private enum Column {
        ITERATIONS,
        TYPICAL_US,
        AVERAGE_US,
        OVERALL_US,
        AVERAGE_MIB_PER_SECOND,
        OVERALL_MIB_PER_SECOND,
        AVERAGE_MESSAGES_PER_SECOND,
        OVERALL_MESSAGES_PER_SECOND
    }

    private final String test;
    private final int size;
    private final int iterations;
    private final Column column;
    private final double factor;

    private UcxPerftest(String test, int size, int iterations, Column column, double factor) {
        this.test = test;
        this.size = size;
        this.iterations = iterations;
        this.column = column;
        this.factor = factor;
    }

    /** Active messages one way, in millions of bytes a second; the program prints MiB, whatever its heading says. */
    static UcxPerftest bandwidth(int size, int iterations) {
        return new UcxPerftest("ucp_am_bw", size, iterations, Column.OVERALL_MIB_PER_SECOND, MIB_IN_MB);
    }

    /** Tagged messages there and back: the median of half a round trip, in microseconds. */
    static UcxPerftest latency(int size, int iterations) {
        return new UcxPerftest("tag_lat", size, iterations, Column.TYPICAL_US, 1);
    }

    @Override
    public String name() {
        return "UCX tcp " + test;
    }

    @Override
    public String command() {
        return "UCX_TLS=tcp,self UCX_NET_DEVICES=lo " + PROGRAM + " & … " + String.join(" ", client("PORT"));
    }

    @Override
    public @Nullable String missing() {
        return Program.installed(PROGRAM) ? null : PROGRAM + " is not installed (Debian package ucx-utils)";
    }

    @Override
    public double measure() throws InterruptedException {
        String port = Integer.toString(ServerAndClient.freePort());
        Program server = Program.of(PROGRAM, "-p", port).with(TCP_ON_LOOPBACK);
        Program client = new Program(client(port), TCP_ON_LOOPBACK);
        return value(ServerAndClient.output(server, client), column) * factor;
    }

    private List<String> client(String port) {
        return List.of(
                PROGRAM,
                "127.0.0.1",
                "-p",
                port,
                "-t",
                test,
                "-s",
                Integer.toString(size),
                "-n",
                Integer.toString(iterations),
                "-w",
                Integer.toString(iterations / 10),
                "-f");
    }

    /** Tested with a line as the program prints it. */
    static double bandwidthOf(String output) {
        return value(output, Column.OVERALL_MIB_PER_SECOND) * MIB_IN_MB;
    }

    static double latencyOf(String output) {
        return value(output, Column.TYPICAL_US);
    }

    private static double value(String output, Column column) {
        String last = output.strip().lines().reduce("", (_, line) -> line);
        String numbers = last.replaceFirst("(?i)^.*final:?", "")
                .replaceFirst("\\[thread \\d+]", "")
                .strip();
        String[] words = numbers.split("\\s+", -1);
        try {
            return Double.parseDouble(words[column.ordinal()]);
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            throw new MeasurementException(PROGRAM + " ended with a line that is not understood: " + last, e);
        }
    }
}
