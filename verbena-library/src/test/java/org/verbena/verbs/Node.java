package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Wire;
import org.verbena.exchange.Wires;
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
                .withRegister(RegisterFailure.TERMINATE)
                .withCapacity(capacity, capacity)
                .withSegmentsMax(32)
                .withInlineMax(256));
        memory = Arena.ofAuto().allocate(bytes, 4096);
        region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
    }

    static Wires.Joined connect(Node a, Node b, ConnectionOptions how) {
        return Wires.connect(a.queuePair, b.queuePair, how);
    }

    /** Whether the adapter's wire has no such service; checks that it is refused then. */
    boolean lacks(Service service) {
        boolean lacking = adapter.wire() == Wire.IWARP && service != Service.RC;
        if (lacking) {
            QueuePairOptions options = QueuePairOptions.of(domain, completions).withService(service);
            String refusal = assertThrows(IllegalArgumentException.class, () -> adapter.createQueuePair(options))
                    .getMessage();
            assertEquals("service " + service + " found, RC expected: iWARP has reliable connections only", refusal);
        }
        return lacking;
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
