package org.verbena.bench.figures;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One TCP stream on 127.0.0.1, received bytes, in millions a second. */
final class Iperf3 implements Subject {
    private static final String PROGRAM = "iperf3";

    private final int size;
    private final int seconds;

    Iperf3(int size, int seconds) {
        this.size = size;
        this.seconds = seconds;
    }

    @Override
    public String name() {
        return "iperf3 TCP";
    }

    @Override
    public String command() {
        return PROGRAM + " -s -1 & … " + String.join(" ", client("PORT"));
    }

    @Override
    public @Nullable String missing() {
        return Program.installed(PROGRAM) ? null : PROGRAM + " is not installed (Debian package iperf3)";
    }

    @Override
    public double measure() throws InterruptedException {
        String port = Integer.toString(ServerAndClient.freePort());
        Program server = Program.of(PROGRAM, "-s", "-1", "-B", "127.0.0.1", "-p", port);
        Program client = Program.of(client(port).toArray(String[]::new));
        return bandwidthOf(ServerAndClient.output(server, client));
    }

    private List<String> client(String port) {
        return List.of(
                PROGRAM,
                "-c",
                "127.0.0.1",
                "-p",
                port,
                "-t",
                Integer.toString(seconds),
                "-l",
                Integer.toString(size),
                "-J");
    }

    static double bandwidthOf(String json) {
        return Json.number(json, "sum_received", "bits_per_second") / 8e6;
    }
}
