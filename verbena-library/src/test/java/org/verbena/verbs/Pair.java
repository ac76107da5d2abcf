package org.verbena.verbs;

import java.util.List;
import org.verbena.EventKind;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.Wires;
import org.verbena.time.VirtualClock;

/** Two connected nodes in one process, each turn given by hand. */
final class Pair implements AutoCloseable {
    final VirtualClock clock = new VirtualClock(0);
    final Wire wire;
    final Wires wires;
    final Node a;
    final Node b;
    private Wires.Joined joined = new Wires.Joined(List.of());

    Pair() {
        this(Wire.ROCE);
    }

    Pair(long bytes, int capacity, ConnectionOptions how) {
        this(Wire.ROCE, bytes, capacity, how);
    }

    /** Not connected yet. */
    Pair(long bytes, int capacity, Service service) {
        this(Wire.ROCE, bytes, capacity, service);
    }

    Pair(Wire wire) {
        this(wire, 1 << 20, 64, ConnectionOptions.DEFAULT);
    }

    Pair(Wire wire, long bytes, int capacity, ConnectionOptions how) {
        this(wire, bytes, capacity, Service.RC);
        joined = Node.connect(a, b, how);
    }

    /** Not connected yet. */
    Pair(Wire wire, long bytes, int capacity, Service service) {
        this.wire = wire;
        wires = new Wires(wire);
        a = new Node(adapter("a"), bytes, capacity, service);
        b = new Node(adapter("b"), bytes, capacity, service);
    }

    Adapter adapter(String name) {
        return wires.open(
                clock,
                AdapterOptions.DEFAULT
                        .withName(name)
                        .withRun(AdapterOptions.Run.MANUAL)
                        .withSeed(name.hashCode()));
    }

    /** Connects its queue pairs again, from state RESET. */
    void reconnect() {
        joined.end();
        a.queuePair.reset();
        b.queuePair.reset();
        joined = Node.connect(a, b, ConnectionOptions.DEFAULT);
    }

    /** The status of a send or a write that the peer refuses. Over iWARP it is done when it is in the stream, before the peer sees it. */
    Status refused(Status overRoce) {
        return wire == Wire.IWARP ? Status.SUCCESS : overRoce;
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
