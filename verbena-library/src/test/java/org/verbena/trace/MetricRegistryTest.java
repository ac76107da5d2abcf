package org.verbena.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class MetricRegistryTest {
    private static final MetricGroup<AtomicLong> ADAPTER = MetricGroup.<AtomicLong>named("adapter", "adapter")
            .counter("sent_pkts", Unit.PACKETS, "Packets sent", AtomicLong::get)
            .gauge("queue_pairs", Unit.QUEUE_PAIRS, "Queue pairs", AtomicLong::get)
            .build();
    private static final MetricGroup<AtomicLong> QUEUE_PAIR = MetricGroup.<AtomicLong>named(
                    "queue_pair", "adapter", "queue_pair")
            .numerous()
            .counter("posted", Unit.REQUESTS, "Requests posted", AtomicLong::get)
            .build();
    private static final MetricGroup<AtomicLong> LINK = MetricGroup.<AtomicLong>named("link", "adapter", "link")
            .counter("errors", Unit.CALLS, "Calls that failed", "error", "forbidden", AtomicLong::get)
            .counter("errors", Unit.CALLS, "Calls that failed", "error", "other", source -> source.get() + 1)
            .build();

    private final MetricRegistry registry = new MetricRegistry();
    private final MetricScope scope = registry.scope("adapter", "verbena0");

    @Test
    void aSnapshotHasThePresentValuesOfEachSource() {
        AtomicLong value = new AtomicLong(1);
        scope.register(ADAPTER, value);
        value.set(7);
        MetricSeries first = registry.snapshot().series().getFirst();
        assertEquals("adapter.sent_pkts", first.metric().fullName());
        assertEquals(7, first.value());
        assertEquals(Map.of("adapter", "verbena0"), first.labels());
        assertEquals(2, registry.snapshot().metrics().size());
    }

    @Test
    void aSnapshotDoesNotChange() {
        AtomicLong value = new AtomicLong(1);
        scope.register(ADAPTER, value);
        MetricSnapshot before = registry.snapshot();
        value.set(9);
        assertEquals(1, before.total("adapter", "sent_pkts"));
        MetricSnapshot since = registry.snapshot().since(before);
        assertEquals(8, since.total("adapter", "sent_pkts"));
        assertEquals(9, since.total("adapter", "queue_pairs"), "a gauge is not counted from then on");
    }

    @Test
    void aSourceThatIsClosedIsNotRead() {
        MetricScope.Registration registration = scope.register(ADAPTER, new AtomicLong());
        scope.register(LINK, new AtomicLong(), "udp");
        registration.close();
        registration.close();
        assertEquals(
                List.of("link"),
                registry.snapshot().metrics().stream().map(Metric::group).toList());
        scope.close();
        assertEquals(List.of(), registry.snapshot().series());
    }

    @Test
    void queuePairsAreLeftOutUnlessTheyAreAskedFor() {
        scope.register(ADAPTER, new AtomicLong(5));
        for (int number = 0; number < 1000; number++) {
            scope.register(QUEUE_PAIR, new AtomicLong(number), Integer.toString(number));
        }
        assertEquals(2, registry.snapshot().series().size());
        MetricSnapshot all = registry.snapshot(_ -> true);
        assertEquals(1002, all.series().size());
        assertEquals(17, all.with("queue_pair", "17").total("queue_pair", "posted"));
    }

    @Test
    void twoOwnersOfOneNameAreToldApart() {
        scope.register(ADAPTER, new AtomicLong(1));
        MetricScope second = registry.scope("adapter", "verbena0");
        second.register(ADAPTER, new AtomicLong(2));
        assertEquals("verbena0-2", second.value());
        assertEquals(2, registry.snapshot().with("adapter", "verbena0-2").total("adapter", "sent_pkts"));
        assertEquals(3, registry.snapshot().total("adapter", "sent_pkts"));
        scope.close();
        scope.close();
        assertEquals("verbena0", registry.scope("adapter", "verbena0").value());
    }

    @Test
    void aMetricMayHaveALabelOfItsOwn() {
        scope.register(LINK, new AtomicLong(4), "udp");
        MetricSnapshot snapshot = registry.snapshot();
        assertEquals(1, snapshot.metrics().size());
        assertEquals(5, snapshot.with("error", "other").total("link", "errors"));
        assertEquals(
                List.of("adapter", "link", "error"),
                snapshot.metrics().getFirst().labels());
    }

    @Test
    void labelsThatAreNotThoseOfTheGroupAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> scope.register(LINK, new AtomicLong()));
        assertThrows(
                IllegalArgumentException.class,
                () -> registry.scope("memory", "memory0").register(ADAPTER, new AtomicLong()));
    }

    @Test
    void aSourceThatWasClosedWhileItWasReadIsLeftOut() {
        MetricGroup<AtomicLong> closed = MetricGroup.<AtomicLong>named("adapter", "adapter")
                .counter("fine", Unit.EVENTS, "Read before", AtomicLong::get)
                .counter("gone", Unit.EVENTS, "Closed", _ -> {
                    throw new IllegalStateException("closed");
                })
                .build();
        scope.register(closed, new AtomicLong());
        scope.register(LINK, new AtomicLong(), "udp");
        assertEquals(2, registry.snapshot().series().size());
    }

    @Test
    void aScopeThatItsOwnerHasLostIsNotKept() {
        MetricScope lost = registry.scope("adapter", "lost");
        lost.register(ADAPTER, new AtomicLong());
        WeakReference<MetricScope> reference = new WeakReference<>(lost);
        lost = registry.scope("adapter", "other");
        for (int i = 0; i < 100 && reference.get() != null; i++) {
            System.gc();
        }
        assertTrue(reference.refersTo(null), "the registry keeps it");
        assertEquals("lost", registry.scope("adapter", "lost").value());
        assertEquals("other", lost.value());
    }
}
