package org.verbena.tools.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.Hypervisor;
import org.verbena.memory.Residency;
import org.verbena.memory.store.StoreStatistics;
import org.verbena.trace.Counter;
import org.verbena.trace.PagingCounter;
import org.verbena.verbs.Adapter;

/**
 * What came out, all of it taken while everything was still open.
 *
 * @param plan what was to be done
 * @param outcome what was done
 * @param initiator counters of its adapter
 * @param target counters of its adapter
 * @param paging counters of the hypervisor
 * @param store what the page store did
 * @param storeName which it was
 * @param framesFree frames without a page
 * @param memories where the pages of each are
 */
public record MemoryReport(
        MemoryPlan plan,
        Outcome outcome,
        Map<Counter, Long> initiator,
        Map<Counter, Long> target,
        Map<PagingCounter, Long> paging,
        StoreStatistics store,
        String storeName,
        int framesFree,
        Map<String, Residency> memories) {
    private static final List<Counter> FAULTS = List.of(
            Counter.WRITE_PAGE_FAULTS,
            Counter.SEND_PAGE_FAULTS,
            Counter.ATOMIC_PAGE_FAULTS,
            Counter.RESPONSE_PAGE_FAULTS,
            Counter.GATHER_PAGE_FAULTS,
            Counter.LANDING_PAGE_FAULTS);

    /**
     * What the consumer did and found.
     *
     * @param seconds of the load
     * @param loaded the load
     * @param swept reads of everything after it
     * @param readBack cells read then
     * @param cells all cells
     */
    record Outcome(double seconds, MemoryTally loaded, MemoryTally swept, int readBack, int cells) {}

    static MemoryReport of(
            MemoryPlan plan, Outcome outcome, Hypervisor hypervisor, MemoryEnd initiator, MemoryEnd target) {
        Map<String, Residency> memories = new LinkedHashMap<>();
        name(memories, "target", target);
        name(memories, "initiator", initiator);
        return new MemoryReport(
                plan,
                outcome,
                initiator.adapter().counters().snapshot(),
                target.adapter().counters().snapshot(),
                hypervisor.counters().snapshot(),
                hypervisor.storeStatistics(),
                hypervisor.storeName(),
                hypervisor.framesFree(),
                memories);
    }

    private static void name(Map<String, Residency> memories, String end, MemoryEnd of) {
        for (int i = 0; i < of.memories().size(); i++) {
            String number = of.memories().size() == 1 ? "" : " " + (i + 1);
            memories.put(end + number, of.memories().get(i).residency());
        }
    }

    /** Page faults of both adapters so far, of all kinds. */
    static long faults(Adapter one, Adapter other) {
        return FAULTS.stream()
                .mapToLong(kind -> one.counters().value(kind) + other.counters().value(kind))
                .sum();
    }

    /** Page faults of both adapters, of all kinds. */
    public long faults() {
        return FAULTS.stream().mapToLong(this::count).sum();
    }

    /** Of both adapters together. */
    public long count(Counter counter) {
        return initiator.getOrDefault(counter, 0L) + target.getOrDefault(counter, 0L);
    }

    public long operations() {
        return outcome.loaded.operations();
    }

    public double operationsPerSecond() {
        return outcome.seconds > 0 ? operations() / outcome.seconds : 0;
    }

    /** Whether all that is registered was read back. */
    public boolean readAllBack() {
        return outcome.readBack == outcome.cells;
    }

    public long errors() {
        return outcome.loaded.errors() + outcome.swept.errors();
    }

    /** The first of them, for people. */
    public @Nullable String firstError() {
        String first = outcome.loaded.firstError();
        return first == null ? outcome.swept.firstError() : first;
    }
}
