package org.verbena.verbs;

import java.util.List;
import org.verbena.link.Link;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.RingMemory;
import org.verbena.time.NanoClock;

/** Adapters and queue pairs with numbers a test decides on. */
public final class FixedNumbers {
    private FixedNumbers() {}

    /** An adapter driven by hand whose keys come from the table. */
    public static Adapter open(Link link, NanoClock clock, ProtectionTable table) {
        AdapterOptions options =
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(7);
        return new Adapter(link, clock, options, table, RingMemory.LOCAL, List.of());
    }

    public static QueuePair queuePair(Adapter adapter, QueuePairOptions options, int number, int firstPsn) {
        return adapter.createQueuePair(options, number, firstPsn);
    }
}
