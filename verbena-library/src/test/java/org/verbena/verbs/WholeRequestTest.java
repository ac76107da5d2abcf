package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.trace.Counter;

/** All segments of a request are judged before its first byte leaves or lands. */
@Timeout(60)
@OverEachWire
final class WholeRequestTest {
    /** More than any packet and any segment of a stream has. */
    private static final int LONG = 100_000;

    private static final int SHORT = 100;
    private static final int QKEY = 0x1111_1111;
    private static final byte UNTOUCHED = 0x5a;

    private final Wire wire;

    WholeRequestTest(Wire wire) {
        this.wire = wire;
    }

    /** A segment that may not be used, and the reason. */
    enum Bad {
        WRONG_KEY(Verdict.WRONG_INSTANCE),
        NO_KEY(Verdict.NO_ENTRY),
        BEYOND_THE_REGION(Verdict.OUT_OF_BOUNDS),
        AROUND_THE_END(Verdict.WRAPS_AROUND),
        WITHOUT_THE_RIGHT(Verdict.NO_RIGHT),
        OF_ANOTHER_DOMAIN(Verdict.WRONG_DOMAIN),
        OF_A_WINDOW(Verdict.INVALID),
        OF_A_CLOSED_ARENA(Verdict.BACKING_CLOSED);

        final Verdict verdict;

        Bad(Verdict verdict) {
            this.verdict = verdict;
        }

        LocalSegment of(Node node) {
            return switch (this) {
                case WRONG_KEY -> new LocalSegment(node.region.address(), SHORT, node.region.key() ^ 1);
                case NO_KEY -> closedRegion(node);
                case BEYOND_THE_REGION -> node.segment(node.region.length() - SHORT + 1, SHORT);
                case AROUND_THE_END -> new LocalSegment(-8, SHORT, node.region.key());
                case WITHOUT_THE_RIGHT ->
                    LocalSegment.of(node.adapter.register(node.domain, memory(Arena.ofAuto()), Set.of()));
                case OF_ANOTHER_DOMAIN ->
                    LocalSegment.of(node.adapter.register(
                            node.adapter.createProtectionDomain(), memory(Arena.ofAuto()), Set.of(Right.LOCAL_WRITE)));
                case OF_A_WINDOW ->
                    new LocalSegment(
                            node.region.address(),
                            SHORT,
                            node.adapter
                                    .createWindow(node.domain, Window.Type.TYPE_1)
                                    .key());
                case OF_A_CLOSED_ARENA -> closedArena(node);
            };
        }

        private static LocalSegment closedRegion(Node node) {
            try (Region region =
                    node.adapter.register(node.domain, memory(Arena.ofAuto()), Set.of(Right.LOCAL_WRITE))) {
                return LocalSegment.of(region);
            }
        }

        private static LocalSegment closedArena(Node node) {
            try (Arena arena = Arena.ofShared()) {
                return LocalSegment.of(node.adapter.register(node.domain, memory(arena), Set.of(Right.LOCAL_WRITE)));
            }
        }

        private static MemorySegment memory(Arena arena) {
            return arena.allocate(SHORT, 8);
        }
    }

    private boolean has(Service service) {
        return wire == Wire.ROCE || service == Service.RC;
    }

    private Pair pairOf(Service service) {
        Pair pair = new Pair(wire, 1 << 20, 64, service);
        if (service == Service.UD) {
            pair.a.queuePair.activate(DatagramOptions.of(QKEY));
            pair.b.queuePair.activate(DatagramOptions.of(QKEY));
        } else {
            Node.connect(pair.a, pair.b, ConnectionOptions.DEFAULT);
        }
        pair.b.memory.fill(UNTOUCHED);
        pair.a.memory.fill((byte) 1);
        return pair;
    }

    private static void assertUntouched(Node node) {
        MemorySegment expected = MemorySegment.ofArray(new byte[(int) node.memory.byteSize()]);
        assertEquals(-1, node.memory.mismatch(expected.fill(UNTOUCHED)), "a byte has landed");
    }

    private static Completion only(Node node) {
        List<Completion> all = node.drain();
        assertEquals(1, all.size(), all.toString());
        return all.getFirst();
    }

    // --- requests

    private static Payload withLastBad(Node node, Bad bad, int good) {
        return Payload.of(node.segment(0, good), node.segment(good, SHORT), bad.of(node));
    }

    /** Posts a request with a payload that may not be read; the peer sees nothing. */
    private void sendsNothing(Service service, Bad bad, int good, Request request) {
        try (Pair pair = pairOf(service)) {
            assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(7, pair.b.segment(0, 2 * LONG))));
            pair.run();
            long before = pair.a.adapter.counters().value(Counter.SENT_PACKETS);
            assertTrue(pair.a.queuePair.post(request.of(pair, withLastBad(pair.a, bad, good))));
            pair.run();
            Completion failed = only(pair.a);
            assertEquals(Status.LOCAL_PROTECTION_ERROR, failed.status(), bad.toString());
            assertEquals(bad.verdict, failed.detail());
            assertEquals(
                    before, pair.a.adapter.counters().value(Counter.SENT_PACKETS), "packets of the refused request");
            assertUntouched(pair.b);
            boolean stream = wire == Wire.IWARP;
            assertEquals(
                    service == Service.RC ? QueuePairState.ERROR : QueuePairState.SEND_QUEUE_ERROR,
                    pair.a.queuePair.state());
            // Over iWARP the connection ends with its queue pair, and the peer's receives are given back.
            assertEquals(
                    stream ? List.of(Status.FLUSHED) : List.of(),
                    pair.b.drain().stream().map(Completion::status).toList());
            assertEquals(stream ? QueuePairState.ERROR : QueuePairState.READY_TO_SEND, pair.b.queuePair.state());
        }
    }

    /** A request of a pair with this payload. */
    private interface Request {
        WorkRequest.Sending of(Pair pair, Payload payload);
    }

    private static final Request SEND = (_, payload) -> new WorkRequest.Send(1, payload, SendOptions.SIGNALLED);
    private static final Request WRITE =
            (pair, payload) -> new WorkRequest.Write(1, payload, pair.b.remote(0), SendOptions.SIGNALLED);
    private static final Request WRITE_WITH_IMMEDIATE = (pair, payload) ->
            new WorkRequest.WriteWithImmediate(1, payload, pair.b.remote(0), 5, SendOptions.SIGNALLED);
    private static final Request DATAGRAM = (pair, payload) -> new WorkRequest.SendDatagram(
            1,
            payload,
            pair.a.adapter.createAddressHandle(pair.a.domain, pair.b.adapter.endpoint()),
            pair.b.queuePair.number(),
            QKEY,
            SendOptions.SIGNALLED);

    /** The local read right cannot be taken from a region. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WITHOUT_THE_RIGHT")
    void aSendOrWriteWhoseLastSegmentIsRefusedSendsNothing(Bad bad) {
        for (Service service : List.of(Service.RC, Service.UC)) {
            if (has(service)) {
                for (Request request : List.of(SEND, WRITE, WRITE_WITH_IMMEDIATE)) {
                    sendsNothing(service, bad, LONG, request);
                    sendsNothing(service, bad, SHORT, request);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WITHOUT_THE_RIGHT")
    void aDatagramWhoseLastSegmentIsRefusedIsNotSent(Bad bad) {
        if (has(Service.UD)) {
            sendsNothing(Service.UD, bad, SHORT, DATAGRAM);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void aRequestOfOneSegmentThatEndsBeyondItsRegionSendsNothing(Service service) {
        if (has(service)) {
            Request whole = (pair, _) -> {
                long from = pair.a.region.length() - LONG;
                return new WorkRequest.Send(1, pair.a.segment(from, LONG + 1));
            };
            sendsNothing(service, Bad.BEYOND_THE_REGION, SHORT, whole);
        }
    }

    // --- receives

    /** Sends a message into a receive whose last segment may not be written; no byte lands. */
    private void landsNothing(Service service, Bad bad, int message) {
        try (Pair pair = pairOf(service)) {
            int first = service == Service.UD ? 2 * SHORT : LONG;
            LocalSegment refused = bad.of(pair.b);
            assertTrue(pair.b.queuePair.post(
                    new WorkRequest.Receive(7, pair.b.segment(0, first), pair.b.segment(first, SHORT), refused)));
            pair.run();
            Payload payload = Payload.of(pair.a.segment(0, message));
            assertTrue(pair.a.queuePair.post((service == Service.UD ? DATAGRAM : SEND).of(pair, payload)));
            pair.run();
            Completion received = only(pair.b);
            assertEquals(Operation.RECEIVE, received.operation());
            assertEquals(Status.LOCAL_PROTECTION_ERROR, received.status(), bad.toString());
            assertEquals(bad.verdict, received.detail());
            assertUntouched(pair.b);
            assertEquals(QueuePairState.ERROR, pair.b.queuePair.state());
            Status told = service == Service.RC ? pair.refused(Status.REMOTE_OPERATIONAL_ERROR) : Status.SUCCESS;
            assertEquals(told, only(pair.a).status());
            assertEquals(
                    service == Service.RC ? QueuePairState.ERROR : QueuePairState.READY_TO_SEND,
                    pair.a.queuePair.state());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReceiveWhoseLastSegmentIsRefusedTakesNoByteOfAMessageThatReachesIt(Bad bad) {
        for (Service service : List.of(Service.RC, Service.UC)) {
            if (has(service)) {
                landsNothing(service, bad, LONG + SHORT + 1);
            }
        }
        if (has(Service.UD)) {
            landsNothing(Service.UD, bad, 3 * SHORT - DatagramHeader.LENGTH + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReceiveWhoseLastSegmentIsRefusedTakesNoByteOfAShortMessage(Bad bad) {
        for (Service service : List.of(Service.RC, Service.UC, Service.UD)) {
            if (has(service)) {
                landsNothing(service, bad, 8);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void aReceiveOfOneSegmentThatEndsBeyondItsRegionTakesNoByte(Service service) {
        if (has(service)) {
            try (Pair pair = pairOf(service)) {
                long from = pair.b.region.length() - LONG;
                assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(7, pair.b.segment(from, LONG + 1))));
                assertTrue(pair.a.queuePair.post(new WorkRequest.Send(1, pair.a.segment(0, SHORT))));
                pair.run();
                Completion received = only(pair.b);
                assertEquals(Status.LOCAL_PROTECTION_ERROR, received.status());
                assertEquals(Verdict.OUT_OF_BOUNDS, received.detail());
                assertUntouched(pair.b);
                assertEquals(QueuePairState.ERROR, pair.b.queuePair.state());
            }
        }
    }

    /** Nothing lands in the memory of these receives: their segments are not judged. */
    @ParameterizedTest
    @EnumSource
    void aMessageWithoutBytesTakesAReceiveWhoseSegmentsAreRefused(Bad bad) {
        try (Pair pair = pairOf(Service.RC)) {
            for (int i = 0; i < 2; i++) {
                assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(i, bad.of(pair.b))));
            }
            assertTrue(pair.a.queuePair.post(new WorkRequest.Send(1)));
            assertTrue(pair.a.queuePair.post(WRITE_WITH_IMMEDIATE.of(pair, Payload.of(pair.a.segment(0, SHORT)))));
            pair.run();
            for (Node node : List.of(pair.a, pair.b)) {
                assertEquals(
                        List.of(Status.SUCCESS, Status.SUCCESS),
                        node.drain().stream().map(Completion::status).toList());
            }
        }
    }
}
