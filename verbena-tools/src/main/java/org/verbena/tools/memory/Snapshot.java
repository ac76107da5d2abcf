package org.verbena.tools.memory;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.verbena.memory.Domain;
import org.verbena.memory.DomainFaults;
import org.verbena.memory.Hypervisor;
import org.verbena.memory.Residency;
import org.verbena.trace.Counter;
import org.verbena.trace.Histogram;
import org.verbena.trace.HistogramValues;
import org.verbena.trace.PagingCounter;
import org.verbena.verbs.Adapter;

/**
 * All that can be seen of memory at one moment.
 *
 * @param initiator counters of its adapter
 * @param target counters of its adapter
 * @param paging counters of the host
 * @param guests counters of all guests together
 * @param faults of each domain, by its number
 * @param reads of the page store
 * @param writes of the page store
 * @param storeName which it is
 * @param frames of machine memory
 * @param framesFree those without a page
 * @param memories where the pages of each are
 */
record Snapshot(
        Map<Counter, Long> initiator,
        Map<Counter, Long> target,
        Map<PagingCounter, Long> paging,
        Map<PagingCounter, Long> guests,
        Map<Integer, DomainFaults> faults,
        Times reads,
        Times writes,
        String storeName,
        int frames,
        int framesFree,
        Map<String, Residency> memories) {
    /** How long transfers of the store took since it was opened. */
    record Times(long count, long p50Ns, long p90Ns, long p99Ns, long maxNs) {
        static Times of(Histogram latency) {
            HistogramValues ns = latency.values();
            return new Times(ns.count(), ns.percentile(0.5), ns.percentile(0.9), ns.percentile(0.99), ns.max());
        }
    }

    static Snapshot of(Hypervisor hypervisor, MemoryEnd initiator, MemoryEnd target) {
        Map<String, Residency> memories = new LinkedHashMap<>();
        look(memories, "target", target);
        look(memories, "initiator", initiator);
        Map<PagingCounter, Long> guests = new EnumMap<>(PagingCounter.class);
        Map<Integer, DomainFaults> faults = new TreeMap<>();
        for (Domain domain : hypervisor.domains()) {
            faults.put(domain.id(), domain.faults());
            if (!domain.isHost()) {
                domain.counters().snapshot().forEach((counter, value) -> guests.merge(counter, value, Long::sum));
            }
        }
        return new Snapshot(
                counters(initiator.adapter()),
                counters(target.adapter()),
                hypervisor.counters().snapshot(),
                guests,
                faults,
                Times.of(hypervisor.storeStatistics().reads()),
                Times.of(hypervisor.storeStatistics().writes()),
                hypervisor.storeName(),
                hypervisor.machine().frames(),
                hypervisor.framesFree(),
                memories);
    }

    /** Those at zero too. */
    private static Map<Counter, Long> counters(Adapter adapter) {
        Map<Counter, Long> all = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            all.put(counter, adapter.counters().value(counter));
        }
        return all;
    }

    private static void look(Map<String, Residency> memories, String end, MemoryEnd of) {
        for (int i = 0; i < of.memories().size(); i++) {
            String number = of.memories().size() == 1 ? "" : " " + (i + 1);
            memories.put(end + number, of.memories().get(i).residency());
        }
    }

    /** The same with counters counted from an earlier moment on. */
    Snapshot since(Snapshot before) {
        return new Snapshot(
                minus(initiator, before.initiator),
                minus(target, before.target),
                minus(paging, before.paging),
                guests.isEmpty() ? guests : minus(guests, before.guests),
                minusFaults(before.faults),
                reads,
                writes,
                storeName,
                frames,
                framesFree,
                memories);
    }

    private Map<Integer, DomainFaults> minusFaults(Map<Integer, DomainFaults> before) {
        Map<Integer, DomainFaults> difference = new TreeMap<>(faults);
        difference.replaceAll((domain, now) -> {
            DomainFaults then = before.getOrDefault(domain, new DomainFaults(0, 0));
            return new DomainFaults(now.stageOne() - then.stageOne(), now.stageTwo() - then.stageTwo());
        });
        return difference;
    }

    private static <K extends Enum<K>> Map<K, Long> minus(Map<K, Long> after, Map<K, Long> before) {
        Map<K, Long> difference = new EnumMap<>(after);
        difference.replaceAll((counter, value) -> value - before.getOrDefault(counter, 0L));
        return difference;
    }

    long initiator(Counter counter) {
        return initiator.getOrDefault(counter, 0L);
    }

    long target(Counter counter) {
        return target.getOrDefault(counter, 0L);
    }

    long guests(PagingCounter counter) {
        return guests.getOrDefault(counter, 0L);
    }

    long paging(PagingCounter counter) {
        return paging.getOrDefault(counter, 0L);
    }
}
