package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.Right;
import org.verbena.link.simulated.SimulatedNetwork;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.WorkRequest;

/** A peer whose thread does not run now and then is slow, not lost: hardly a packet is sent again. */
final class BusyPeerTest {
    /** 5 µs each way, 10 Gbit/s. */
    private static final SimulatedWire WIRE = new SimulatedWire(5_000, 1_250_000_000L, 64);

    private static final long STEP_NS = 4_000;
    private static final long DURATION_NS = 2_000_000_000L;

    private final VirtualClock clock = new VirtualClock(1_000_000);
    private final SimulatedNetwork network = new SimulatedNetwork(clock, WIRE);
    private final Seed pauses = new Seed(7);

    @ParameterizedTest
    @CsvSource({
        "WRITE, 1, 64, 3",
        "WRITE, 16, 16384, 3",
        "WRITE, 16, 16384, 12",
        "READ, 1, 64, 3",
        "READ, 16, 4096, 3",
        "READ, 16, 4096, 12"
    })
    void hardlyAPacketIsSentAgain(StreamWorkload.Kind kind, int depth, long size, int pauseMaxMs) {
        try (Node client = new Node(0, network.open(), clock, new Seed(1));
                Node server = new Node(1, network.open(), clock, new Seed(2))) {
            QueuePair queuePair = connect(client, server, depth);
            long done = run(client, server, queuePair, request(client, server, kind, size), depth, pauseMaxMs);
            long packets = done * Math.max(1, size / 4096);
            long again = client.adapter().counters().value(Counter.RETRANSMITTED_PACKETS);
            assertTrue(done > 10_000, () -> done + " requests done");
            assertTrue(again * 1000 <= packets, () -> again + " of " + packets + " packets were sent again");
        }
    }

    private static QueuePair connect(Node client, Node server, int depth) {
        QueuePair here = client.adapter()
                .createQueuePair(QueuePairOptions.of(client.domain(), client.completions())
                        .withCapacity(depth, 1));
        QueuePair there = server.adapter()
                .createQueuePair(QueuePairOptions.of(server.domain(), server.completions())
                        .withCapacity(1, 1));
        here.connect(there.address(), ConnectionOptions.DEFAULT);
        there.connect(here.address(), ConnectionOptions.DEFAULT);
        return here;
    }

    private static WorkRequest.Sending request(Node client, Node server, StreamWorkload.Kind kind, long size) {
        Zone here = client.zone("buffer", size, EnumSet.allOf(Right.class));
        Zone there = server.zone("buffer", size, EnumSet.allOf(Right.class));
        return kind == StreamWorkload.Kind.READ
                ? new WorkRequest.Read(1, here.local(0, size), there.remote(0))
                : new WorkRequest.Write(1, here.local(0, size), there.remote(0));
    }

    /** The server has no turn for up to {@code pauseMaxMs}, about a hundred times a second. Returns the number of requests that are done. */
    private long run(
            Node client, Node server, QueuePair queuePair, WorkRequest.Sending request, int depth, int pauseMaxMs) {
        Completions batch = new Completions(64);
        long endNs = clock.nowNs() + DURATION_NS;
        long pauseNs = clock.nowNs() + pauses.nextInt(20_000_000);
        long resumeNs = 0;
        long posted = 0;
        long done = 0;
        while (clock.nowNs() < endNs) {
            long nowNs = clock.nowNs();
            if (nowNs >= pauseNs) {
                resumeNs = nowNs + 100_000 + pauses.nextInt(pauseMaxMs * 1_000_000);
                pauseNs = resumeNs + pauses.nextInt(20_000_000);
            }
            while (posted - done < depth && queuePair.post(request)) {
                posted++;
            }
            client.adapter().work(nowNs);
            if (nowNs >= resumeNs) {
                server.adapter().work(nowNs);
            }
            done += client.completions().poll(batch);
            clock.advance(STEP_NS);
        }
        return done;
    }
}
