package org.verbena.verbs;

import org.verbena.EventKind;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.VirtualClock;

/** Two connected nodes in one process, each turn given by hand. */
final class Pair implements AutoCloseable {
    final VirtualClock clock = new VirtualClock(0);
    final InProcessNetwork network = new InProcessNetwork();
    final Node a;
    final Node b;

    Pair() {
        this(1 << 20, 64, ConnectionOptions.DEFAULT);
    }

    Pair(long bytes, int capacity, ConnectionOptions how) {
        this(bytes, capacity, Service.RC);
        Node.connect(a, b, how);
    }

    /** Not connected yet. */
    Pair(long bytes, int capacity, Service service) {
        a = new Node(adapter("a"), bytes, capacity, service);
        b = new Node(adapter("b"), bytes, capacity, service);
    }

    Adapter adapter(String name) {
        return Adapter.open(
                network.open(),
                clock,
                AdapterOptions.DEFAULT
                        .withName(name)
                        .withRun(AdapterOptions.Run.MANUAL)
                        .withSeed(name.hashCode()));
    }

    /** Turns until nothing happens any more at this time. */
    void run() {
        for (int idle = 0; idle < 3; ) {
            int done = a.adapter.work(clock.nowNs()) + b.adapter.work(clock.nowNs());
            idle = done == 0 ? idle + 1 : 0;
        }
    }

    /** Time passes in steps of 100 µs. */
    void pass(long durationNs) {
        for (long left = durationNs; left > 0; left -= 100_000) {
            clock.advance(100_000);
            run();
        }
    }

    static boolean has(Node node, EventKind kind, EventSource source) {
        for (AsyncEvent e = node.adapter.events().poll();
                e != null;
                e = node.adapter.events().poll()) {
            if (e.kind() == kind && e.source() == source) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        a.adapter.close();
        b.adapter.close();
    }
}
