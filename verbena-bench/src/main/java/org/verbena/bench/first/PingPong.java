package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import org.verbena.verbs.Adapter;

/**
 * 64 bytes there and back by sends. The argument of its own says how both ends wait: {@code blocking} sleeps in {@code
 * poll(Duration)}, {@code spinning} calls {@code poll()} until it has a completion.
 */
public final class PingPong {
    private PingPong() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        boolean spinning = isSpinning(arguments.more());
        try (Adapter adapter = VerbenaEnd.open()) {
            Line line = new Line(adapter, adapter.createProtectionDomain(), spinning);
            if (arguments.server()) {
                serve(Control.accept(arguments.port(), 1).getFirst(), adapter, line);
            } else {
                ask(Control.connect(arguments.port()), adapter, line, arguments, out);
            }
        }
    }

    private static boolean isSpinning(String how) {
        return switch (how) {
            case "spinning" -> true;
            case "blocking" -> false;
            default -> throw new IllegalArgumentException("blocking or spinning expected; found " + how);
        };
    }

    private static void serve(Control client, Adapter adapter, Line line) throws IOException {
        try (client) {
            client.connect(line.queuePair);
            line.begin();
            client.meet();
            Background.start(line::echo);
            client.answer(() -> Usage.of(adapter));
        }
    }

    private static void ask(Control server, Adapter adapter, Line line, Arguments arguments, PrintStream out)
            throws IOException, InterruptedException {
        try (server) {
            server.connect(line.queuePair);
            line.begin();
            server.meet();
            RoundTrips.measure(line, arguments, server, () -> Usage.of(adapter), out);
        }
    }
}
