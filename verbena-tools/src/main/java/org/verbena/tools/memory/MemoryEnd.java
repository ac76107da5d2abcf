package org.verbena.tools.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.tools.link.Place;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/** One of the two: an adapter with managed memory registered, and queue pairs. */
final class MemoryEnd implements AutoCloseable {
    /** Probes find losses much sooner; this time is for a peer whose threads wait for a core. */
    private static final Duration ACK_TIMEOUT = Duration.ofMillis(537);

    private static final int READS_MAX = 128;
    /** Between the addresses of two memories. */
    private static final long ADDRESSES = 1L << 44;

    private final MemoryPlan plan;
    private final Adapter adapter;
    private final List<ManagedMemory> memories;
    private final List<Region> regions = new ArrayList<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final CompletionQueue completions;

    /** At a place, which it closes, as it does the memories. */
    MemoryEnd(AdapterOptions options, Place place, MemoryPlan plan, List<ManagedMemory> memories) {
        this.plan = plan;
        this.memories = memories;
        this.adapter = place.open(options);
        try {
            ProtectionDomain domain = adapter.createProtectionDomain();
            for (ManagedMemory memory : memories) {
                regions.add(
                        adapter.register(domain, memory, (regions.size() + 1) * ADDRESSES, EnumSet.allOf(Right.class)));
            }
            completions = adapter.createCompletionQueue(4 * plan.underWay());
            for (int i = 0; i < plan.queuePairs(); i++) {
                queuePairs.add(adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                        .withCapacity(2 * plan.depth(), 2 * plan.depth())
                        .withSegmentsMax(1)));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    void connect(MemoryEnd peer) {
        int reads = Math.clamp(plan.depth(), 16, READS_MAX);
        Mtu mine = adapter.mtuMax();
        Mtu others = peer.adapter.mtuMax();
        ConnectionOptions options = ConnectionOptions.DEFAULT
                .withMtu(mine.bytes() < others.bytes() ? mine : others)
                .withReads(reads, reads)
                .withRetries(7, ACK_TIMEOUT);
        for (int i = 0; i < queuePairs.size(); i++) {
            queuePairs.get(i).connect(peer.queuePairs.get(i).address(), options);
        }
    }

    Adapter adapter() {
        return adapter;
    }

    List<ManagedMemory> memories() {
        return memories;
    }

    Region region(int memory) {
        return regions.get(memory);
    }

    QueuePair queuePair(int connection) {
        return queuePairs.get(connection);
    }

    CompletionQueue completions() {
        return completions;
    }

    @Override
    public void close() {
        adapter.close();
        regions.forEach(Region::close);
        memories.forEach(ManagedMemory::close);
    }
}
