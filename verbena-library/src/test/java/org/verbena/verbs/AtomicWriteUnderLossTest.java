package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.Wires;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;

/** Atomic writes, between writes and reads, where one packet in ten is lost, doubled, late or damaged. */
@OverSwitches
final class AtomicWriteUnderLossTest {
    private static final int ROUNDS = 1000;

    private final VirtualClock clock = new VirtualClock(0);
    private final Wires wires = new Wires(Wire.ROCE);
    private final Node a = node(1);
    private final Node b = node(2);

    private Node node(long seed) {
        var link = new LossyLink(wires.openLink(), new Seed(seed), LinkFaults.all(0.1), LinkFaults.all(0.1));
        var options = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(seed);
        return new Node(Adapter.open(link, clock, options), 4096, 16);
    }

    private List<Completion> await(int count) {
        var all = new ArrayList<Completion>();
        for (int turn = 0; turn < 100_000 && all.size() < count; turn++) {
            clock.advance(20_000);
            a.adapter.work(clock.nowNs());
            b.adapter.work(clock.nowNs());
            all.addAll(a.drain());
        }
        return all;
    }

    @Test
    void eachIsDoneOnceAndInItsTurn() {
        Node.connect(a, b, ConnectionOptions.DEFAULT);
        for (long round = 1; round <= ROUNDS; round++) {
            a.memory.set(ValueLayout.JAVA_LONG, 0, -round);
            a.queuePair.post(new WorkRequest.Write(1, a.segment(0, 8), b.remote(0)));
            a.queuePair.post(new WorkRequest.AtomicWrite(2, round, b.remote(0), SendOptions.SIGNALLED));
            a.queuePair.post(new WorkRequest.AtomicWrite(3, round * 3, b.remote(8), SendOptions.UNSIGNALLED));
            a.queuePair.post(new WorkRequest.Read(4, a.segment(16, 16), b.remote(0)));
            List<Completion> done = await(3);
            assertEquals(List.of(1L, 2L, 4L), done.stream().map(Completion::id).toList());
            assertTrue(done.stream().allMatch(completion -> completion.status() == Status.SUCCESS), done::toString);
            assertEquals(round, a.memory.get(ValueLayout.JAVA_LONG, 16));
            assertEquals(round * 3, a.memory.get(ValueLayout.JAVA_LONG, 24));
        }
        assertTrue(b.adapter.counters().value(Counter.DUPLICATE_REQUESTS) > ROUNDS / 10, "nothing came again");
        a.adapter.close();
        b.adapter.close();
    }
}
