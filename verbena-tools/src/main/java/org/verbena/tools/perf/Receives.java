package org.verbena.tools.perf;

import java.util.List;
import java.util.stream.IntStream;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.WorkRequest;

/** The receives of one end, prepared once and posted again and again, slot after slot. */
final class Receives {
    private final QueuePair queuePair;
    private final List<WorkRequest.Receive> prepared;
    private long posted;

    /** Posts as many as the layout says. */
    Receives(Side side) {
        queuePair = side.queuePair();
        boolean data =
                side.plan().operation() == PerfOperation.SEND && side.plan().size() > 0;
        prepared = IntStream.range(0, data ? side.layout().landingSlots() : 1)
                .mapToObj(n -> data ? new WorkRequest.Receive(n, side.landing(n)) : new WorkRequest.Receive(n))
                .toList();
        for (int i = 0; i < side.layout().receives(); i++) {
            postNext();
        }
    }

    /** Posts the slot that was used the longest ago. */
    void postNext() {
        if (!queuePair.post(prepared.get((int) (posted % prepared.size())))) {
            throw new IllegalStateException("the receive queue is full though one of its receives has completed");
        }
        posted++;
    }
}
