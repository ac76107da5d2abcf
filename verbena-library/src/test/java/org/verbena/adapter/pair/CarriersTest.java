package org.verbena.adapter.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.adapter.EngineParts;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;
import org.verbena.queue.RingKind;
import org.verbena.queue.RingMemory;
import org.verbena.queue.SendSlot;
import org.verbena.time.Seed;

/** Which carrier makes the transport of a queue pair, and the state of the queue pair when none does. */
final class CarriersTest {
    private static final ReadyParameters READY = () -> 1;

    private final List<String> calls = new ArrayList<>();
    private final Way first = new Way("first");
    private final Way second = new Way("second");
    private final ProtectionTable table = new ProtectionTable(16, new Seed(1));
    private final EngineParts parts = EngineParts.make(table, (_, _) -> {}, 0, () -> {});
    private final Pair pair = pair(table.createDomain());

    private Pair pair(ProtectionDomain domain) {
        Ring sends = ring(RingKind.SEND, SendSlot.length(1, 0));
        var operations = new OperationCount(table, domain);
        var receives =
                new ReceiveSource(ring(RingKind.RECEIVE, ReceiveSlot.length(1)), false, (_, _) -> {}, operations);
        CompletionRing completions = new CompletionRing(4);
        var queues = new Queues(sends, receives, completions, completions);
        return new Pair(2, domain, queues, parts, new Carriers(List.of(first, second)), null);
    }

    private static Ring ring(RingKind kind, int slotLength) {
        return Ring.create(RingMemory.LOCAL.allocate(Ring.lengthOf(4, slotLength)), kind, 4, slotLength);
    }

    private record Target(PairService service, @Nullable Endpoint remote) implements AttachParameters {}

    private static final Target PEER = new Target(PairService.RELIABLE_CONNECTION, Endpoint.of("192.0.2.1", 7));
    private static final Target NO_PEER = new Target(PairService.DATAGRAM, null);

    /** Notes its calls, and those of its transports. */
    private final class Way implements PairCarrier {
        private final String name;
        private boolean reaches = true;
        private boolean refuses;

        Way(String name) {
            this.name = name;
        }

        @Override
        public boolean reaches(AttachParameters parameters) {
            return reaches;
        }

        @Override
        public Transport attach(Pair owner, AttachParameters parameters) {
            calls.add(name + " attaches in " + owner.state().label());
            if (refuses) {
                throw new IllegalStateException(name + " has no way");
            }
            return new Noted(name);
        }

        @Override
        public int receive(long nowNs, int max) {
            return 0;
        }

        @Override
        public WakeSource source() {
            return new WakeSource() {
                @Override
                public void attach(Sleeper sleeper) {}

                @Override
                public long sleepMaxNs() {
                    return Long.MAX_VALUE;
                }
            };
        }

        @Override
        public void flush() {}

        @Override
        public void recover() {}

        @Override
        public void onRemoved(int queuePair) {}
    }

    private final class Noted implements Transport {
        private final String name;

        Noted(String name) {
            this.name = name;
        }

        private void note(String call) {
            calls.add(name + " " + call + " in " + pair.state().label());
        }

        @Override
        public void readyToSend(ReadyParameters parameters) {
            note("begins");
            if (parameters.outstandingReads() < 0) {
                throw new IllegalArgumentException("reads");
            }
        }

        @Override
        public boolean transmit(long nowNs, int budget) {
            note("transmits");
            return false;
        }

        @Override
        public boolean isSending() {
            return false;
        }

        @Override
        public void answerLast() {
            note("answers");
        }

        @Override
        public void stop() {
            note("stops");
        }

        @Override
        public void detach() {
            note("is detached");
        }
    }

    private void expect(QueuePairState state, String... expected) {
        assertEquals(List.of(expected), calls);
        assertEquals(state, pair.state());
        calls.clear();
    }

    @Test
    void theFirstCarrierThatReachesThePeerMakesTheTransport() {
        pair.initialize(Set.of());
        pair.readyToReceive(PEER);
        expect(QueuePairState.READY_TO_RECEIVE, "first attaches in INIT");
        pair.readyToSend(READY);
        pair.transmit(0, 1);
        expect(QueuePairState.READY_TO_SEND, "first begins in RTR", "first transmits in RTS");
    }

    @Test
    void aCarrierThatDoesNotReachThePeerIsPassedOver() {
        first.reaches = false;
        pair.activate(NO_PEER);
        expect(QueuePairState.READY_TO_SEND, "second attaches in RESET");
    }

    @Test
    void withoutACarrierTheStateStays() {
        first.reaches = false;
        second.reaches = false;
        assertEquals(
                "no carrier of the adapter has service DATAGRAM",
                assertThrows(IllegalStateException.class, () -> pair.activate(NO_PEER))
                        .getMessage());
        expect(QueuePairState.RESET);
        pair.initialize(Set.of());
        assertEquals(
                "no carrier of the adapter has service RELIABLE_CONNECTION to 192.0.2.1:7",
                assertThrows(IllegalStateException.class, () -> pair.readyToReceive(PEER))
                        .getMessage());
        expect(QueuePairState.INIT);
    }

    @Test
    void aCarrierThatRefusesLeavesTheStateAndCanBeAskedAgain() {
        first.refuses = true;
        assertThrows(IllegalStateException.class, () -> pair.activate(NO_PEER));
        expect(QueuePairState.RESET, "first attaches in RESET");
        pair.initialize(Set.of());
        assertThrows(IllegalStateException.class, () -> pair.readyToReceive(PEER));
        expect(QueuePairState.INIT, "first attaches in INIT");
        pair.abort();
        pair.reset();
        expect(QueuePairState.RESET);
        first.refuses = false;
        pair.activate(NO_PEER);
        expect(QueuePairState.READY_TO_SEND, "first attaches in RESET");
    }

    @Test
    void aTransportThatRefusesItsParametersSendsNothing() {
        pair.initialize(Set.of());
        pair.readyToReceive(PEER);
        assertThrows(IllegalArgumentException.class, () -> pair.readyToSend(() -> -1));
        expect(QueuePairState.READY_TO_RECEIVE, "first attaches in INIT", "first begins in RTR");
    }

    @Test
    void noCarrierIsAskedInAWrongState() {
        assertThrows(IllegalStateException.class, () -> pair.readyToReceive(PEER));
        pair.activate(NO_PEER);
        assertThrows(IllegalStateException.class, () -> pair.activate(NO_PEER));
        expect(QueuePairState.READY_TO_SEND, "first attaches in RESET");
    }

    @Test
    void aResetDetachesTheTransportAndTheNextOneIsChosenAnew() {
        pair.activate(NO_PEER);
        pair.reset();
        expect(
                QueuePairState.RESET,
                "first attaches in RESET",
                "first answers in RTS",
                "first stops in RESET",
                "first is detached in RESET");
        pair.reset();
        expect(QueuePairState.RESET);
        first.reaches = false;
        pair.activate(NO_PEER);
        expect(QueuePairState.READY_TO_SEND, "second attaches in RESET");
    }

    @Test
    void aFailedQueuePairKeepsItsTransportUntilItIsReset() {
        pair.activate(NO_PEER);
        pair.abort();
        pair.abort();
        expect(QueuePairState.ERROR, "first attaches in RESET", "first answers in RTS", "first stops in ERR");
        pair.reset();
        expect(QueuePairState.RESET, "first stops in RESET", "first is detached in RESET");
    }
}
