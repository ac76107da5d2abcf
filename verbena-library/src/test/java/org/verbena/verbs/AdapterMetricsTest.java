package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.RingMemory;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.trace.MetricRegistry;
import org.verbena.trace.MetricSnapshot;

@OverEachWire
final class AdapterMetricsTest {
    /** Offset of a ring's tail, see docs/reference/rings.md. */
    private static final long TAIL = 128;

    private final MetricRegistry registry = new MetricRegistry();
    private final VirtualClock clock = new VirtualClock(0);
    private final Wire wire;
    private final Wires wires;

    AdapterMetricsTest(Wire wire) {
        this.wire = wire;
        wires = new Wires(wire);
    }

    private Adapter open(String name) {
        return wires.open(
                clock,
                AdapterOptions.DEFAULT
                        .withName(name)
                        .withRun(AdapterOptions.Run.MANUAL)
                        .withMetrics(registry));
    }

    private MetricSnapshot all() {
        return registry.snapshot(_ -> true);
    }

    @Test
    void theRegistryShowsWhatTheAdapterAndItsLinkCount() {
        try (Adapter first = open("a");
                Adapter second = open("b")) {
            Node a = new Node(first, 4096, 8);
            Node b = new Node(second, 4096, 8);
            Node.connect(a, b, ConnectionOptions.DEFAULT);
            a.queuePair.post(new WorkRequest.Write(1, a.segment(0, 8), b.remote(0)));
            b.queuePair.post(new WorkRequest.Receive(2, b.segment(0, 8)));
            MetricSnapshot posted = all().with("queue_pair", Integer.toString(a.queuePair.number()));
            assertEquals(1, posted.with("adapter", "a").total("queue_pair", "sends_outstanding"));
            for (int turn = 0; turn < 10; turn++) {
                clock.advance(1_000_000);
                first.work(clock.nowNs());
                second.work(clock.nowNs());
            }
            MetricSnapshot after = all();
            MetricSnapshot ofA = after.with("adapter", "a");
            MetricSnapshot ofB = after.with("adapter", "b");
            if (wire == Wire.ROCE) {
                long sent = first.counters().value(Counter.SENT_PACKETS);
                assertTrue(sent > 0);
                assertEquals(sent, ofA.total("adapter", "sent_pkts"));
                assertEquals(sent, ofA.total("link", "sent_pkts"));
                assertEquals(sent, ofB.total("adapter", "rcvd_pkts"));
            }
            assertEquals(1, ofA.total("adapter", "queue_pairs"));
            assertEquals(1, ofA.total("queue_pair", "sends_posted"));
            assertEquals(0, ofA.total("queue_pair", "sends_outstanding"));
            assertEquals(1, ofB.total("queue_pair", "recvs_outstanding"));
            assertEquals(3, ofA.total("queue_pair", "state"), "RTS");
        }
        assertEquals(List.of(), all().series(), "closed adapters are not in the registry");
    }

    @Test
    void aClosedQueuePairIsNotInTheRegistry() {
        try (Adapter adapter = open("a")) {
            Node node = new Node(adapter, 4096, 8);
            assertEquals(5, all().of("queue_pair").series().size());
            assertEquals(0, registry.snapshot().of("queue_pair").series().size());
            node.queuePair.close();
            assertEquals(0, all().of("queue_pair").series().size());
            assertEquals(0, all().total("adapter", "queue_pairs"));
        }
    }

    @Test
    void aSharedReceiveQueueIsNotCountedForItsQueuePairs() {
        try (Adapter adapter = open("a")) {
            var domain = adapter.createProtectionDomain();
            var completions = adapter.createCompletionQueue(8);
            var shared = adapter.createSharedReceiveQueue(8, 1);
            adapter.createQueuePair(QueuePairOptions.of(domain, completions).withSharedReceives(shared));
            shared.post(new WorkRequest.Receive(1, List.of()));
            assertEquals(0, all().total("queue_pair", "recvs_posted"));
        }
    }

    @Test
    void anAdapterUsesTheRegistryOfTheProcessUnlessToldOtherwise() {
        AdapterOptions options =
                AdapterOptions.DEFAULT.withName("of-the-process").withRun(AdapterOptions.Run.MANUAL);
        try (Adapter adapter = wires.open(clock, options)) {
            MetricSnapshot seen = MetricRegistry.process().snapshot().with("adapter", adapter.name());
            assertEquals(
                    1,
                    seen.only(one -> one.metric().name().equals("sent_acks"))
                            .series()
                            .size());
        }
    }

    /** Another process may map the rings and write any tail. */
    @Test
    void noMoreRequestsAreOutstandingThanARingHolds() {
        List<MemorySegment> rings = new ArrayList<>();
        RingMemory shared = bytes -> {
            rings.add(RingMemory.LOCAL.allocate(bytes));
            return rings.getLast();
        };
        AdapterOptions options =
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withMetrics(registry);
        ProtectionTable table = new ProtectionTable(16, new Seed(1));
        try (Adapter adapter = new Adapter(new InProcessNetwork().open(), clock, options, table, shared, List.of())) {
            new Node(adapter, 4096, 8);
            for (long tail : new long[] {1000, -1000}) {
                rings.forEach(ring -> ring.set(ValueLayout.JAVA_LONG, TAIL, tail));
                long expected = tail > 0 ? 8 : 0;
                assertEquals(expected, all().total("queue_pair", "sends_outstanding"));
                assertEquals(expected, all().total("queue_pair", "recvs_outstanding"));
            }
        }
    }
}
