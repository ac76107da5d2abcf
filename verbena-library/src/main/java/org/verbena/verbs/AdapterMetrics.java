package org.verbena.verbs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.verbena.adapter.iwarp.port.StreamCounters;
import org.verbena.adapter.pair.Queues;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.memory.RegistrationTable;
import org.verbena.trace.Counters;
import org.verbena.trace.MetricGroup;
import org.verbena.trace.MetricRegistry;
import org.verbena.trace.MetricScope;
import org.verbena.trace.Unit;

/** Registers an adapter, its link and its queue pairs as sources of metrics. Any thread. */
final class AdapterMetrics implements AutoCloseable {
    private static final MetricGroup<Adapter> ADAPTER = MetricGroup.<Adapter>named("adapter", "adapter")
            .gauge("queue_pairs", Unit.QUEUE_PAIRS, "Queue pairs that are open", Adapter::queuePairCount)
            .gauge(
                    "page_faults_open",
                    Unit.EVENTS,
                    "Page faults that queue pairs wait for or whose pages are kept for them",
                    Adapter::faultsOpen)
            .gauge(
                    "landings_held",
                    Unit.REQUESTS,
                    "Reads and atomics under way whose landing pages are held",
                    Adapter::landingsHeld)
            .build();

    /** Everything is read from the state and the positions of the rings: posting and polling count nothing. */
    private static final MetricGroup<Source> QUEUE_PAIR = MetricGroup.<Source>named(
                    "queue_pair", "adapter", "queue_pair", "service")
            .numerous()
            .gauge("state", Unit.STATE, "0 RESET, 1 INIT, 2 RTR, 3 RTS, 4 SQD, 5 SQE, 6 ERR", Source::state)
            .counter("sends_posted", Unit.REQUESTS, "Work requests posted to the send queue", Source::sendsPosted)
            .gauge(
                    "sends_outstanding",
                    Unit.REQUESTS,
                    "Work requests in the send queue that are not finished",
                    Source::sendsOutstanding)
            .counter(
                    "recvs_posted",
                    Unit.REQUESTS,
                    "Receives posted to the receive queue; 0 with a shared receive queue",
                    Source::receivesPosted)
            .gauge(
                    "recvs_outstanding",
                    Unit.REQUESTS,
                    "Receives in the receive queue that no message has taken; 0 with a shared receive queue",
                    Source::receivesOutstanding)
            .build();

    private static final MetricGroup<RegistrationTable> REGISTRATIONS = MetricGroup.<RegistrationTable>named(
                    "registrations", "adapter", "owner")
            .counter(
                    "hits",
                    Unit.EVENTS,
                    "Buffers of work requests that were registered already",
                    t -> t.counts().hits())
            .counter(
                    "misses",
                    Unit.EVENTS,
                    "Buffers of work requests that had to be registered",
                    t -> t.counts().misses())
            .counter(
                    "merges",
                    Unit.REGIONS,
                    "Registrations that a larger one has taken in",
                    t -> t.counts().merges())
            .counter(
                    "evictions",
                    Unit.REGIONS,
                    "Registrations removed because they were idle, their thread had ended, or a budget was used up",
                    t -> t.counts().evictions())
            .counter(
                    "stale",
                    Unit.REGIONS,
                    "Registrations removed because their arena was closed",
                    t -> t.counts().stale())
            .counter(
                    "failures",
                    Unit.EVENTS,
                    "Registrations that failed",
                    t -> t.counts().failures())
            .counter(
                    "pin_refusals",
                    Unit.EVENTS,
                    "Registrations that could not be pinned",
                    t -> t.counts().pinRefusals())
            .gauge("entries", Unit.REGIONS, "Registrations", t -> t.counts().entries())
            .gauge(
                    "bytes",
                    Unit.BYTES,
                    "Bytes of all registrations",
                    t -> t.counts().bytes())
            .gauge(
                    "pinned_bytes",
                    Unit.BYTES,
                    "Bytes that are locked in memory",
                    t -> t.counts().pinnedBytes())
            .gauge(
                    "pinned_limit",
                    Unit.BYTES,
                    "Bytes that may be locked: the smaller one of the budget and the limit of the operating system",
                    t -> t.counts().pinnedLimit())
            .build();

    private final MetricScope scope;
    private final Map<Object, MetricScope.Registration> leaving = new ConcurrentHashMap<>();

    AdapterMetrics(MetricRegistry registry, String name) {
        this.scope = registry.scope("adapter", name);
    }

    private record Source(LocalQueuePair control, Queues queues) {
        long state() {
            return control.state().code();
        }

        long sendsPosted() {
            return queues.sends().tail();
        }

        long sendsOutstanding() {
            return queues.sends().filled();
        }

        long receivesPosted() {
            return queues.receives().shared() ? 0 : queues.receives().ring().tail();
        }

        long receivesOutstanding() {
            return queues.receives().shared() ? 0 : queues.receives().ring().filled();
        }
    }

    /** An adapter that is complete, its link, and its streams if it has some. */
    void register(Adapter adapter, LocalAdapter local) {
        Link link = local.link();
        StreamPort streams = local.streams();
        scope.register(Counters.METRICS, adapter.counters());
        scope.register(ADAPTER, adapter);
        scope.register(LinkCounters.METRICS, link.counters(), link.name());
        if (streams != null) {
            scope.register(StreamCounters.METRICS, streams.counters());
        }
    }

    /** A registration table, until it is {@linkplain #forget forgotten}. */
    void register(RegistrationTable table) {
        leaving.put(table, scope.register(REGISTRATIONS, table, table.owner()));
    }

    /** A queue pair, until it is {@linkplain #forget forgotten}. */
    void register(LocalQueuePair control, Queues queues) {
        leaving.put(
                control,
                scope.register(
                        QUEUE_PAIR,
                        new Source(control, queues),
                        Integer.toString(control.number()),
                        control.options().service().name()));
    }

    /** A queue pair or a table that is closed. */
    void forget(Object source) {
        MetricScope.Registration registration = leaving.remove(source);
        if (registration != null) {
            registration.close();
        }
    }

    @Override
    public void close() {
        scope.close();
    }
}
