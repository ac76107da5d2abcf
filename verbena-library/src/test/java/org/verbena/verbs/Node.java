package org.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;

/** One end of a connection under test: an adapter with a domain, a completion queue, a queue pair and a buffer. */
final class Node {
    /** For engines in real time: a machine may give a thread no time for half a second, after which the default options give up. */
    static final ConnectionOptions PATIENT = ConnectionOptions.DEFAULT.withRetries(7, Duration.ofSeconds(10));

    final Adapter adapter;
    final ProtectionDomain domain;
    final CompletionQueue completions;
    final QueuePair queuePair;
    final MemorySegment memory;
    final Region region;

    Node(Adapter adapter, long bytes) {
        this(adapter, bytes, 1024);
    }

    Node(Adapter adapter, long bytes, int capacity) {
        this(adapter, bytes, capacity, Service.RC);
    }

    Node(Adapter adapter, long bytes, int capacity, Service service) {
        this.adapter = adapter;
        domain = adapter.createProtectionDomain();
        completions = adapter.createCompletionQueue(capacity * 2);
        queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                .withService(service)
                .withCapacity(capacity, capacity)
                .withSegmentsMax(32)
                .withInlineMax(256));
        memory = Arena.ofAuto().allocate(bytes, 4096);
        region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
    }

    static void connect(Node a, Node b, ConnectionOptions how) {
        a.queuePair.connect(b.queuePair.address(), how);
        b.queuePair.connect(a.queuePair.address(), how);
    }

    LocalSegment segment(long offset, long length) {
        return LocalSegment.of(region, offset, length);
    }

    RemoteMemory remote(long offset) {
        return RemoteMemory.of(region).plus(offset);
    }

    List<Completion> drain() {
        var all = new ArrayList<Completion>();
        for (Completion c = completions.poll(); c != null; c = completions.poll()) {
            all.add(c);
        }
        return all;
    }
}
