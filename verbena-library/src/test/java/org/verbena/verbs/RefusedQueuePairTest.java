package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.adapter.Limits;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.RingMemory;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** A queue pair that is not made holds nothing. */
final class RefusedQueuePairTest {
    /** Rings that there is memory for. */
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

    private final RingMemory rings = bytes -> {
        if (left.getAndDecrement() == 0) {
            throw new OutOfMemoryError("of the test");
        }
        return RingMemory.LOCAL.allocate(bytes);
    };

    private final Adapter adapter = new Adapter(
            new InProcessNetwork().open(),
            new VirtualClock(0),
            AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(1),
            new ProtectionTable(16, new Seed(1)),
            rings,
            List.of());
    private final ProtectionDomain domain = adapter.createProtectionDomain();
    private final CompletionQueue completions = adapter.createCompletionQueue(16);
    private final QueuePairOptions wanted = QueuePairOptions.of(domain, completions);

    @AfterEach
    void close() {
        adapter.close();
    }

    private void refuse(int ringsBefore) {
        left.set(ringsBefore);
        assertThrows(OutOfMemoryError.class, () -> adapter.createQueuePair(wanted));
        assertEquals(0, adapter.queuePairCount());
        left.set(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void withoutMemoryForARingItHoldsNoPart(int ringsBefore) {
        refuse(ringsBefore);
        completions.close();
        domain.close();
    }

    @Test
    void withoutMemoryForARingItHasNoNumber() {
        for (int i = 0; i < Limits.QUEUE_PAIRS_MAX; i++) {
            refuse(0);
        }
        adapter.createQueuePair(wanted).close();
    }
}
