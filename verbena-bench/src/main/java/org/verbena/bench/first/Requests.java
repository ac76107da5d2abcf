package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.verbena.memory.ProtectionDomain;
import org.verbena.verbs.Adapter;

/**
 * Requests of 64 bytes and their answers, from virtual threads: each thread has a connection of its own and sleeps in {@code
 * poll(Duration)}, at both ends. The argument of its own is the number of threads.
 */
public final class Requests {
    private Requests() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments.more());
        try (Adapter adapter = VerbenaEnd.open()) {
            if (arguments.server()) {
                serve(Control.accept(arguments.port(), 1).getFirst(), adapter, threads);
            } else {
                ask(Control.connect(arguments.port()), adapter, threads, arguments, out);
            }
        }
    }

    private static void serve(Control client, Adapter adapter, int threads) throws IOException {
        try (client) {
            connect(client, adapter, threads).forEach(line -> Background.startVirtual(line::echo));
            client.answer(() -> Usage.of(adapter));
        }
    }

    private static void ask(Control server, Adapter adapter, int threads, Arguments arguments, PrintStream out)
            throws IOException, InterruptedException {
        try (server) {
            ManyThreads.measure(connect(server, adapter, threads), arguments, out);
        }
    }

    private static List<Line> connect(Control other, Adapter adapter, int threads) throws IOException {
        ProtectionDomain domain = adapter.createProtectionDomain();
        List<Line> lines = new ArrayList<>();
        while (lines.size() < threads) {
            Line line = new Line(adapter, domain, false);
            other.connect(line.queuePair);
            line.begin();
            lines.add(line);
        }
        other.meet();
        return lines;
    }
}
