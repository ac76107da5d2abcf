package org.verbena.memory.hypervisor;

import java.util.ArrayList;
import java.util.List;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.FaultEvents;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.StoreStatistics;
import org.verbena.trace.MetricGroup;
import org.verbena.trace.MetricRegistry;
import org.verbena.trace.MetricScope;
import org.verbena.trace.PagingCounters;
import org.verbena.trace.Unit;

/** Registers machine memory, the page store, and the pager of each domain as sources of metrics. Any thread. */
final class MemoryMetrics implements AutoCloseable {
    private static final MetricGroup<MachineMemory> MACHINE = MetricGroup.<MachineMemory>named("memory", "memory")
            .gauge("frames", Unit.FRAMES, "Frames of machine memory in use or free", MachineMemory::frames)
            .gauge(
                    "frames_out",
                    Unit.FRAMES,
                    "Frames that resizing has taken out of use",
                    machine -> machine.framesMax() - machine.frames())
            .gauge("frames_wired", Unit.FRAMES, "Frames whose pages are never paged", MachineMemory::framesWired)
            .build();

    private static final MetricGroup<FaultEvents> FAULTS = MetricGroup.<FaultEvents>named("memory", "memory")
            .counter(
                    "fault_news_told",
                    Unit.EVENTS,
                    "Page faults of adapters told to a listener: one for the begin, one for the end",
                    FaultEvents::told)
            .counter(
                    "fault_news_dropped",
                    Unit.EVENTS,
                    "The same, not told because too many waited for the listener",
                    FaultEvents::dropped)
            .counter(
                    "fault_listener_failures",
                    Unit.CALLS,
                    "Calls of a listener of page faults that failed",
                    FaultEvents::failures)
            .build();

    private static final MetricGroup<Pager> PAGER = MetricGroup.<Pager>named("pager", "memory", "domain")
            .gauge("frames_free", Unit.FRAMES, "Frames that can be had without an eviction", Pager::framesFree)
            .gauge(
                    "leases_held",
                    Unit.PAGES,
                    "Pages kept for requests that will come again",
                    pager -> pager.transit().taken())
            .gauge(
                    "landings_held",
                    Unit.PAGES,
                    "Pages kept for the answers to reads",
                    pager -> pager.landing().taken())
            .gauge("transfers", Unit.TRANSFERS, "Transfers to and from the store under way", Pager::transfers)
            .gauge("metadata", Unit.BYTES, "Bytes kept about frames", Pager::bytes)
            .build();

    private static final MetricGroup<Domain> DOMAIN = MetricGroup.<Domain>named("domain", "memory", "domain")
            .counter(
                    "faults_stage_one",
                    Unit.PAGES,
                    "Pages of the domain's memory that its driver was asked for",
                    domain -> domain.faults().stageOne())
            .counter(
                    "faults_stage_two",
                    Unit.PAGES,
                    "Pages of a guest's physical memory that the host's driver was asked for",
                    domain -> domain.faults().stageTwo())
            .counter(
                    "driver_failures",
                    Unit.CALLS,
                    "Calls of the guest's own driver that failed",
                    Domain::driverFailures)
            .counter(
                    "evictions_told",
                    Unit.PAGES,
                    "Evicted guest physical pages that the guest's own driver was told of",
                    domain -> domain.evictionNotices().told())
            .counter(
                    "evictions_merged",
                    Unit.PAGES,
                    "Evictions told together with an earlier one of the same page, because the driver was busy",
                    domain -> domain.evictionNotices().merged())
            .gauge("pins", Unit.PAGES, "Pages pinned by consumers", Domain::pins)
            .build();

    private final MetricScope scope;

    MemoryMetrics(MetricRegistry registry, String name, MachineMemory machine, PageStore store, Pager host) {
        this.scope = registry.scope("memory", name);
        scope.register(MACHINE, machine);
        scope.register(FAULTS, host.faultEvents());
        scope.register(StoreStatistics.METRICS, store.statistics(), store.name());
    }

    /** The result takes the domain out again. */
    MetricScope.Registration register(Domain domain, Driver driver, PagingCounters counters) {
        String id = Integer.toString(domain.id());
        List<MetricScope.Registration> all = new ArrayList<>();
        all.add(scope.register(PagingCounters.METRICS, counters, id));
        if (driver instanceof Pager pager) {
            all.add(scope.register(PAGER, pager, id));
        }
        all.add(scope.register(DOMAIN, domain, id));
        return () -> all.forEach(MetricScope.Registration::close);
    }

    @Override
    public void close() {
        scope.close();
    }
}
