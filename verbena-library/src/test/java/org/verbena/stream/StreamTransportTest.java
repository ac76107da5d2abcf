package org.verbena.stream;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Openings;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Queue pairs over byte streams use the same verbs, rings, receives, completions, local work and memory as InfiniBand's. */
final class StreamTransportTest {
    /** Longer than a stream holds at once. */
    private static final int LONG = 5000;

    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork links = new InProcessNetwork();
    private final Map<Endpoint, StreamCarrier> streams = new HashMap<>();
    private final End a = new End(Endpoint.of("192.0.2.1", 7));
    private final End b = new End(Endpoint.of("192.0.2.2", 7));

    /** One adapter with two carriers, and a queue pair. */
    private final class End {
        final Endpoint streamEndpoint;
        final Adapter adapter;
        final ProtectionDomain domain;
        final CompletionQueue completions;
        final QueuePair queuePair;
        final MemorySegment memory = Arena.ofAuto().allocate(2 * LONG, 8);
        final Region region;

        End(Endpoint streamEndpoint) {
            this.streamEndpoint = streamEndpoint;
            adapter = Openings.open(links.open(), clock, parts -> new StreamCarrier(streams, streamEndpoint, parts));
            domain = adapter.createProtectionDomain();
            completions = adapter.createCompletionQueue(64);
            queuePair = adapter.createQueuePair(
                    QueuePairOptions.of(domain, completions).withRegister(RegisterFailure.TERMINATE));
            region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
        }

        QueuePairAddress streamAddress() {
            return new QueuePairAddress(streamEndpoint, queuePair.number(), 0);
        }

        void expect(Operation operation, Status status) {
            Completion completion = completions.poll();
            assertNotNull(completion, operation + " is not complete");
            assertEquals(operation, completion.operation());
            assertEquals(status, completion.status());
        }
    }

    private void connectByStream() {
        a.queuePair.connect(b.streamAddress(), ConnectionOptions.DEFAULT);
        b.queuePair.connect(a.streamAddress(), ConnectionOptions.DEFAULT);
    }

    private void run() {
        for (int idle = 0, turns = 0; idle < 3; turns++) {
            assertTrue(turns < 10_000, "the adapters do not come to rest");
            idle = a.adapter.work(clock.nowNs()) + b.adapter.work(clock.nowNs()) == 0 ? idle + 1 : 0;
        }
    }

    private static long packets(End end) {
        return end.adapter.counters().value(Counter.SENT_PACKETS);
    }

    @Test
    void aSendFillsAReceive() {
        connectByStream();
        a.memory.setString(0, "hello", US_ASCII);
        assertTrue(b.queuePair.post(new WorkRequest.Receive(1, List.of(LocalSegment.of(b.region, 0, LONG)))));
        assertTrue(a.queuePair.post(
                new WorkRequest.Send(2, Payload.of(LocalSegment.of(a.region, 0, LONG)), SendOptions.SIGNALLED)));
        run();
        a.expect(Operation.SEND, Status.SUCCESS);
        b.expect(Operation.RECEIVE, Status.SUCCESS);
        assertEquals("hello", b.memory.getString(0, US_ASCII));
        assertEquals(0, packets(a) + packets(b), "packets");
    }

    @Test
    void aWriteChangesThePeersMemory() {
        connectByStream();
        a.memory.fill((byte) 7);
        assertTrue(a.queuePair.post(new WorkRequest.Write(
                1,
                Payload.of(LocalSegment.of(a.region, 0, LONG)),
                RemoteMemory.of(b.region).plus(LONG),
                SendOptions.SIGNALLED)));
        run();
        a.expect(Operation.WRITE, Status.SUCCESS);
        assertEquals(-1, b.memory.asSlice(LONG).mismatch(a.memory.asSlice(0, LONG)));
        assertEquals(0, b.memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, LONG - 1));
        assertNull(b.completions.poll());
    }

    @Test
    void aWriteIsCheckedByTheProtectionTable() {
        connectByStream();
        Region readable = b.adapter.register(b.domain, b.memory, EnumSet.of(Right.REMOTE_READ));
        assertTrue(a.queuePair.post(new WorkRequest.Write(
                1, Payload.of(LocalSegment.of(a.region, 0, 8)), RemoteMemory.of(readable), SendOptions.SIGNALLED)));
        run();
        assertEquals(QueuePairState.ERROR, b.queuePair.state());
    }

    @Test
    void aSendWaitsForAReceive() {
        connectByStream();
        assertTrue(a.queuePair.post(
                new WorkRequest.Send(2, Payload.of(LocalSegment.of(a.region, 0, 8)), SendOptions.SIGNALLED)));
        run();
        assertNull(b.completions.poll());
        assertTrue(b.queuePair.post(new WorkRequest.Receive(1, List.of(LocalSegment.of(b.region, 0, 8)))));
        run();
        b.expect(Operation.RECEIVE, Status.SUCCESS);
    }

    @Test
    void aRegionIsRegisteredThroughTheSendQueue() {
        connectByStream();
        Region reserved = a.adapter.reserve(a.domain, a.memory, EnumSet.allOf(Right.class));
        assertTrue(a.queuePair.post(new WorkRequest.Register(1, reserved.key(), SendOptions.SIGNALLED)));
        assertTrue(a.queuePair.post(new WorkRequest.Write(
                2, Payload.of(LocalSegment.of(reserved, 0, 8)), RemoteMemory.of(b.region), SendOptions.SIGNALLED)));
        run();
        a.expect(Operation.REGISTER, Status.SUCCESS);
        a.expect(Operation.WRITE, Status.SUCCESS);
    }

    @Test
    void bothCarriersServeOneAdapterAtTheSameTime() {
        connectByStream();
        QueuePair other = a.adapter.createQueuePair(QueuePairOptions.of(a.domain, a.completions));
        QueuePair peer = b.adapter.createQueuePair(QueuePairOptions.of(b.domain, b.completions));
        other.connect(peer.address(), ConnectionOptions.DEFAULT);
        peer.connect(other.address(), ConnectionOptions.DEFAULT);
        for (QueuePair queuePair : List.of(a.queuePair, other)) {
            assertTrue(queuePair.post(new WorkRequest.Write(
                    1, Payload.of(LocalSegment.of(a.region, 0, 8)), RemoteMemory.of(b.region), SendOptions.SIGNALLED)));
        }
        run();
        a.expect(Operation.WRITE, Status.SUCCESS);
        a.expect(Operation.WRITE, Status.SUCCESS);
        assertTrue(packets(a) > 0, "packets");
    }

    @Test
    void aQueuePairMayGoByAnotherCarrierAfterItIsReset() {
        connectByStream();
        a.queuePair.reset();
        b.queuePair.reset();
        a.queuePair.connect(b.queuePair.address(), ConnectionOptions.DEFAULT);
        b.queuePair.connect(a.queuePair.address(), ConnectionOptions.DEFAULT);
        assertTrue(a.queuePair.post(new WorkRequest.Write(
                1, Payload.of(LocalSegment.of(a.region, 0, 8)), RemoteMemory.of(b.region), SendOptions.SIGNALLED)));
        run();
        a.expect(Operation.WRITE, Status.SUCCESS);
        assertTrue(packets(a) > 0, "packets");
    }

    @Test
    void everythingPostedComesBackWhenTheQueuePairFails() {
        connectByStream();
        assertTrue(b.queuePair.post(new WorkRequest.Receive(1, List.of(LocalSegment.of(b.region, 0, 8)))));
        b.queuePair.abort();
        b.expect(Operation.RECEIVE, Status.FLUSHED);
    }

    /** The stream is full in the middle of the first request; the second one has not begun. */
    @Test
    void requestsThatAreNotDoneComeBackInOrder() {
        connectByStream();
        for (int id = 1; id <= 2; id++) {
            assertTrue(a.queuePair.post(
                    new WorkRequest.Send(id, Payload.of(LocalSegment.of(a.region, 0, LONG)), SendOptions.SIGNALLED)));
        }
        a.adapter.work(clock.nowNs());
        assertNull(a.completions.poll());
        a.queuePair.abort();
        for (int id = 1; id <= 2; id++) {
            Completion completion = a.completions.poll();
            assertNotNull(completion, "request " + id + " is not complete");
            assertEquals(id, completion.id());
            assertEquals(Status.FLUSHED, completion.status());
        }
    }

    @Test
    void nothingHereKnowsInfiniBand() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.verbena.adapter.ib..", "org.verbena.wire..")
                .check(new ClassFileImporter().importPackages("org.verbena.stream"));
    }
}
