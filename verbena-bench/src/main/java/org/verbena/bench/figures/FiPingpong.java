package org.verbena.bench.figures;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** libfabric's ping-pong over one of its software providers, on the loopback interface. */
final class FiPingpong implements Subject {
    private static final String PROGRAM = "fi_pingpong";
    /** bytes, #sent, #ack, total, time, MB/sec, usec/xfer, Mxfers/sec. */
    private static final int COLUMNS = 8;

    private static final int MB_PER_SECOND = 5;
    private static final int US_PER_TRANSFER = 6;

    private final String provider;
    private final String endpoint;
    private final int size;
    private final int iterations;
    private final boolean rate;

    private FiPingpong(String provider, String endpoint, int size, int iterations, boolean rate) {
        this.provider = provider;
        this.endpoint = endpoint;
        this.size = size;
        this.iterations = iterations;
        this.rate = rate;
    }

    /** Datagrams over the {@code udp} provider, unreliable: millions of messages a second. */
    static FiPingpong datagramRate(int size, int iterations) {
        return new FiPingpong("udp", "dgram", size, iterations, true);
    }

    /** Reliable datagrams over UDP: millions of bytes a second. */
    static FiPingpong reliableBandwidth(int size, int iterations) {
        return new FiPingpong("udp;ofi_rxd", "rdm", size, iterations, false);
    }

    @Override
    public String name() {
        return "libfabric " + provider;
    }

    @Override
    public String command() {
        return PROGRAM + " -p '" + provider + "' -e " + endpoint + " -B PORT … & " + String.join(" ", client("PORT"));
    }

    @Override
    public @Nullable String missing() {
        return Program.installed(PROGRAM) ? null : PROGRAM + " is not installed (Debian package libfabric-bin)";
    }

    @Override
    public double measure() throws InterruptedException {
        String port = Integer.toString(ServerAndClient.freePort());
        Program server =
                Program.of(PROGRAM, "-p", provider, "-e", endpoint, "-B", port, "-I", "" + iterations, "-S", "" + size);
        String output = ServerAndClient.output(server, new Program(client(port), Map.of()));
        return rate ? rateOf(output) : bandwidthOf(output);
    }

    private List<String> client(String port) {
        return List.of(
                PROGRAM,
                "-p",
                provider,
                "-e",
                endpoint,
                "-P",
                port,
                "-I",
                Integer.toString(iterations),
                "-S",
                Integer.toString(size),
                "127.0.0.1");
    }

    /** The column of the program has two decimals, too few for a low rate. */
    static double rateOf(String output) {
        return 1 / column(output, US_PER_TRANSFER);
    }

    static double bandwidthOf(String output) {
        return column(output, MB_PER_SECOND);
    }

    private static double column(String output, int column) {
        String last = output.strip().lines().reduce("", (_, line) -> line);
        String[] words = last.strip().split("\\s+", -1);
        try {
            if (words.length == COLUMNS) {
                return Double.parseDouble(words[column]);
            }
        } catch (NumberFormatException e) {
            throw new MeasurementException(PROGRAM + " ended with a line that is not understood: " + last, e);
        }
        throw new MeasurementException(PROGRAM + " ended with a line that is not understood: " + last);
    }
}
