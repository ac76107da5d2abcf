package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.DoubleAdder;

/** A table of values that two clients read at once: its sizes, and a common span of time in which both count. */
final class Table {
    static final int KEYS = 1 << 16;
    static final int VALUE_SIZE = 64;
    /** Requests of a client that have no answer yet. */
    static final int OUTSTANDING = 16;

    private static final int CLIENTS = 2;

    /** A client. */
    interface Getter {
        /** Gets at least one value; the number of values. */
        int get() throws IOException, InterruptedException;
    }

    /** What a server does with a client before the count. */
    interface Welcome {
        void accept(Control client) throws IOException;
    }

    private Table() {}

    static void check(long key, long found) {
        if (found != key) {
            throw new IllegalStateException("the value of key " + key + " begins with " + found);
        }
    }

    /** Serves two clients: lets both begin at once, and tells both their common rate. */
    static void serve(int port, Welcome welcome) throws IOException, InterruptedException {
        CyclicBarrier both = new CyclicBarrier(CLIENTS);
        DoubleAdder rate = new DoubleAdder();
        List<Thread> threads = new ArrayList<>();
        for (Control client : Control.accept(port, CLIENTS)) {
            threads.add(Background.start(() -> serve(client, welcome, both, rate)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void serve(Control client, Welcome welcome, CyclicBarrier both, DoubleAdder rate)
            throws IOException, InterruptedException, BrokenBarrierException {
        try (client) {
            welcome.accept(client);
            client.receive();
            both.await();
            client.send(0);
            rate.add(Double.longBitsToDouble(client.receive()));
            both.await();
            client.send(Double.doubleToLongBits(rate.sum()));
            client.meet();
        } finally {
            both.reset();
        }
    }

    /** Warms up, counts while the other client does, and prints the rate of both. */
    static void measure(Getter getter, Arguments arguments, Control server, PrintStream out)
            throws IOException, InterruptedException {
        run(getter, arguments.warmUpNs());
        server.meet();
        Readings readings = Readings.begin();
        server.send(Double.doubleToLongBits(run(getter, arguments.windowNs())));
        readings.with(Reading.GETS_PER_SECOND, Double.longBitsToDouble(server.receive()))
                .print(out);
        server.meet();
    }

    /** Values a second. */
    private static double run(Getter getter, long ns) throws IOException, InterruptedException {
        long count = 0;
        long begin = System.nanoTime();
        long now;
        do {
            count += getter.get();
            now = System.nanoTime();
        } while (now - begin < ns);
        return count * 1e9 / (now - begin);
    }
}
