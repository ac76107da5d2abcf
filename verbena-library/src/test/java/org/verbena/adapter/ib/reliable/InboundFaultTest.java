package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.exchange.ColdMemory;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.memory.Region;
import org.verbena.trace.Counter;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;
import org.verbena.wire.ib.Syndrome;

/** The peer's requests whose pages are missing: the answer, the time of execution, and that each is executed once. */
final class InboundFaultTest {
    private static final int PAGE = ColdMemory.PAGE;
    private static final long STORE_NS = 100_000;
    /** The time told to an unknown peer before the first fault was measured: 300 µs and 50 µs. */
    private static final RnrTimer FIRST = RnrTimer.US_480;

    private final Exchange wire = new Exchange();
    private ColdMemory cold = new ColdMemory(wire, 16, STORE_NS);

    /** From now on the store takes this time. */
    private void storeTakes(long ns) {
        cold.close();
        cold = new ColdMemory(wire, 16, ns);
    }

    @AfterEach
    void nothingIsLeft() {
        wire.queuePair.reset();
        assertEquals(0, wire.adapter.faultsOpen());
        assertEquals(0, wire.adapter.landingsHeld());
        cold.close();
        wire.close();
    }

    private static byte[] part(byte[] data, int index) {
        return Arrays.copyOfRange(data, index * 256, Math.min(data.length, (index + 1) * 256));
    }

    private static WirePacket send(int psn, byte[] data, int index) {
        int last = (data.length - 1) / 256;
        Opcode opcode = last == 0
                ? Opcode.RC_SEND_ONLY
                : index == 0 ? Opcode.RC_SEND_FIRST : index == last ? Opcode.RC_SEND_LAST : Opcode.RC_SEND_MIDDLE;
        WirePacket packet = WirePacket.send(opcode, psn, part(data, index));
        return index == last ? packet.asking() : packet;
    }

    private static WirePacket write(int psn, Reth reth, byte[] data, int index) {
        int last = (data.length - 1) / 256;
        WirePacket packet = last == 0
                ? WirePacket.writeOnly(psn, reth, data)
                : index == 0
                        ? WirePacket.writeFirst(psn, reth, part(data, 0))
                        : WirePacket.send(
                                index == last ? Opcode.RC_RDMA_WRITE_LAST : Opcode.RC_RDMA_WRITE_MIDDLE,
                                psn,
                                part(data, index));
        return index == last ? packet.asking() : packet;
    }

    /** One request of each kind, on page 1. */
    enum Kind {
        SEND,
        SEND_WITH_INVALIDATE,
        WRITE,
        WRITE_WITH_IMMEDIATE,
        FETCH_ADD,
        COMPARE_SWAP,
        ATOMIC_WRITE;

        WirePacket request(ColdMemory cold, int psn, int victim) {
            byte[] data = Exchange.pattern(8, 42);
            Reth reth = cold.reth(PAGE + 8, 8);
            return switch (this) {
                case SEND -> WirePacket.sendOnly(psn, data).asking();
                case SEND_WITH_INVALIDATE ->
                    WirePacket.send(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, psn, data)
                            .with(victim)
                            .asking();
                case WRITE -> WirePacket.writeOnly(psn, reth, data).asking();
                case WRITE_WITH_IMMEDIATE ->
                    WirePacket.send(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, psn, data)
                            .to(reth)
                            .with(77)
                            .asking();
                case FETCH_ADD -> WirePacket.fetchAdd(psn, reth.address(), reth.key(), 5);
                case COMPARE_SWAP -> WirePacket.compareSwap(psn, reth.address(), reth.key(), 0, 5);
                case ATOMIC_WRITE ->
                    WirePacket.of(Opcode.RC_ATOMIC_WRITE, psn).to(reth).with(data);
            };
        }

        WirePacket answer(int psn) {
            return switch (this) {
                case FETCH_ADD, COMPARE_SWAP -> WirePacket.atomicAck(psn, 1, 0);
                case ATOMIC_WRITE -> WirePacket.readResponseOnly(psn, 1, new byte[0]);
                default -> WirePacket.ack(psn, 1);
            };
        }

        boolean takesReceive() {
            return this == SEND || this == SEND_WITH_INVALIDATE || this == WRITE_WITH_IMMEDIATE;
        }

        Counter counter() {
            return switch (this) {
                case SEND, SEND_WITH_INVALIDATE -> Counter.SEND_PAGE_FAULTS;
                case WRITE, WRITE_WITH_IMMEDIATE -> Counter.WRITE_PAGE_FAULTS;
                default -> Counter.ATOMIC_PAGE_FAULTS;
            };
        }
    }

    /** A region that a peer may invalidate. */
    private Region victim() {
        Region region =
                wire.adapter.reserve(wire.domain, wire.memory, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
        wire.post(new WorkRequest.Register(1, region.key(), SendOptions.SIGNALLED))
                .complete(1);
        return region;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void waitsIsCalledAndIsExecutedOnce(Kind kind) {
        Region victim = victim();
        cold.evict(1);
        wire.post(
                new WorkRequest.Receive(9, cold.segment(PAGE + 8, 8)), new WorkRequest.Receive(10, cold.segment(0, 8)));
        WirePacket request = kind.request(cold, 0, victim.key());
        wire.peerSends(request).adapterSends(WirePacket.rnrNak(0, FIRST, 0));
        wire.complete();
        assertEquals(1, wire.counted(kind.counter()));
        // The request comes too early: it is refused with twice the time, and causes no second fault.
        wire.advance(STORE_NS / 2).peerSends(request);
        wire.adapterSends(WirePacket.rnrNak(0, RnrTimer.US_960, 0));
        assertEquals(1, wire.counted(kind.counter()));
        assertEquals(1, wire.adapter.faultsOpen());
        wire.advance(STORE_NS / 2).adapterSends(WirePacket.ack(-1, 0));
        assertEquals(1, wire.counted(Counter.SENT_UNSOLICITED_ACKS));
        wire.complete();
        assertTrue(victim.isValid(), "nothing is invalidated before the data is there");
        wire.peerSends(request).adapterSends(kind.answer(0));
        assertEquals(kind != Kind.SEND_WITH_INVALIDATE, victim.isValid());
        assertEquals(0, wire.adapter.faultsOpen(), "the lease has ended");
        assertEquals(kind.takesReceive() ? 1 : 0, wire.completions().size());
        // A repetition is answered from the kept result.
        wire.peerSends(request).adapterSends(kind.answer(0));
        wire.complete();
        byte[] there = cold.bytesAt(PAGE + 8, 8);
        byte[] expected = switch (kind) {
            case FETCH_ADD, COMPARE_SWAP -> new byte[] {5, 0, 0, 0, 0, 0, 0, 0};
            default -> Exchange.pattern(8, 42);
        };
        assertArrayEquals(expected, there);
        assertEquals(1, wire.counted(kind.counter()));
        assertEquals(2, wire.counted(Counter.SENT_FAULT_RNR_NAKS));
        assertEquals(0, wire.counted(Counter.SENT_RNR_NAKS));
    }

    /** The pages of the next receives are brought in with the first: a burst of messages waits once. */
    @Test
    void theReceivesBehindAreFetchedAsWell() {
        int count = 12;
        for (int i = 0; i < count; i++) {
            // Two segments, on a page of its own each time; the second one is longer than any message.
            wire.post(new WorkRequest.Receive(
                    i, List.of(cold.segment((long) i * PAGE, 4), cold.segment((long) i * PAGE + 4, 1000))));
            cold.evict(i);
        }
        wire.peerSends(WirePacket.sendOnly(0, Exchange.pattern(8, 0)).asking());
        wire.adapterSends(WirePacket.rnrNak(0, FIRST, 0));
        wire.advance(2 * STORE_NS).adapterSends(WirePacket.ack(-1, 0));
        for (int i = 0; i < count; i++) {
            wire.peerSends(WirePacket.sendOnly(i, Exchange.pattern(8, i)).asking());
            wire.adapterSends(WirePacket.ack(i, i + 1));
            assertArrayEquals(Exchange.pattern(8, i), cold.bytesAt((long) i * PAGE, 8));
        }
        assertEquals(count, wire.completions().size());
        assertEquals(1, wire.counted(Counter.SEND_PAGE_FAULTS));
    }

    /** The next receive has memory that may not be written: its pages are not brought in, and the first message is not affected. */
    @Test
    void aReceiveBehindThatIsNoGoodIsLeftAlone() {
        wire.post(
                new WorkRequest.Receive(1, cold.segment(0, 8)),
                new WorkRequest.Receive(2, new LocalSegment(cold.region.address(), 8, cold.region.key() ^ 0xff00)),
                new WorkRequest.Receive(3, cold.segment(PAGE, 8)));
        cold.evict(0, 1);
        wire.peerSends(WirePacket.sendOnly(0, Exchange.pattern(8, 0)).asking());
        wire.adapterSends(WirePacket.rnrNak(0, FIRST, 0));
        wire.advance(2 * STORE_NS).adapterSends(WirePacket.ack(-1, 0));
        wire.peerSends(WirePacket.sendOnly(0, Exchange.pattern(8, 0)).asking()).adapterSends(WirePacket.ack(0, 1));
        assertEquals(1, wire.completions().size());
    }

    /** A message of eight packets across two pages: which packet meets the fault, wherever it stands. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void everyPositionOfASend(int faulting) {
        everyPosition(faulting, true);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void everyPositionOfAWrite(int faulting) {
        everyPosition(faulting, false);
    }

    private void everyPosition(int faulting, boolean isSend) {
        // Packet number `faulting` has its middle on the border of pages 1 and 2.
        long offset = 2L * PAGE - faulting * 256L - 128;
        byte[] data = Exchange.pattern(8 * 256 - 5, 3);
        wire.post(new WorkRequest.Receive(9, cold.segment(offset, data.length)));
        cold.evict(2);
        Reth reth = cold.reth(offset, data.length);
        for (int i = 0; i < 8; i++) {
            wire.peerSends(isSend ? send(i, data, i) : write(i, reth, data, i));
        }
        wire.adapterSends(WirePacket.rnrNak(faulting, FIRST, 0));
        wire.complete();
        wire.advance(STORE_NS).adapterSends(WirePacket.ack(faulting - 1, 0));
        for (int i = faulting; i < 8; i++) {
            wire.peerSends(isSend ? send(i, data, i) : write(i, reth, data, i));
        }
        wire.adapterSends(WirePacket.ack(7, 1));
        assertArrayEquals(data, cold.bytesAt(offset, data.length));
        assertEquals(isSend ? 1 : 0, wire.completions().size());
        assertEquals(1, wire.counted(Counter.SENT_FAULT_RNR_NAKS));
        assertEquals(0, wire.counted(Counter.SENT_SEQUENCE_NAKS));
        assertEquals(0, wire.adapter.faultsOpen());
    }

    @Test
    void aScatteredSendNeedsOneFaultForAllItsPieces() {
        byte[] data = Exchange.pattern(200, 3);
        wire.post(new WorkRequest.Receive(
                9, List.of(cold.segment(PAGE, 50), cold.segment(3 * PAGE, 50), cold.segment(5 * PAGE - 50, 100))));
        cold.evict(1, 3, 4, 5);
        wire.peerSends(WirePacket.sendOnly(0, data).asking()).adapterSends(WirePacket.rnrNak(0, FIRST, 0));
        wire.advance(STORE_NS).adapterSends(WirePacket.ack(-1, 0));
        wire.peerSends(WirePacket.sendOnly(0, data).asking()).adapterSends(WirePacket.ack(0, 1));
        wire.complete(9);
        assertArrayEquals(Arrays.copyOfRange(data, 100, 200), cold.bytesAt(5L * PAGE - 50, 100));
        assertEquals(1, wire.counted(Counter.SEND_PAGE_FAULTS));
    }

    @Test
    void aWriteOfWholePagesNeedsNoFault() {
        byte[] data = Exchange.pattern(2 * PAGE, 3);
        cold.evict(1, 2);
        for (int i = 0; i < 32; i++) {
            wire.peerSends(write(i, cold.reth(PAGE, 2 * PAGE), data, i));
        }
        wire.adapterSends(WirePacket.ack(31, 1));
        assertEquals(0, wire.counted(Counter.WRITE_PAGE_FAULTS));
        assertArrayEquals(data, cold.bytesAt(PAGE, 2 * PAGE));
    }

    @Test
    void isCalledOnceMoreAfterTwoRoundTrips() {
        cold.evict(1);
        WirePacket request = Kind.WRITE.request(cold, 0, 0);
        wire.peerSends(request).adapterSends(WirePacket.rnrNak(0, FIRST, 0));
        wire.advance(STORE_NS).adapterSends(WirePacket.ack(-1, 0));
        wire.advance(2 * RnrPolicy.ROUND_TRIP_FIRST_NS - 20_000).adapterIsSilent();
        wire.advance(40_000).adapterSends(WirePacket.ack(-1, 0));
        wire.pass(10_000_000, 50_000).adapterIsSilent();
    }

    @Test
    void isNotCalledAgainWhenItCame() {
        cold.evict(1);
        WirePacket request = Kind.WRITE.request(cold, 0, 0);
        wire.peerSends(request).advance(STORE_NS);
        wire.arrived();
        wire.peerSends(request).adapterSends(WirePacket.ack(0, 1));
        wire.pass(10_000_000, 50_000).adapterIsSilent();
    }

    @Test
    void thePagesAreNotKeptForEver() {
        cold.evict(1);
        wire.peerSends(Kind.WRITE.request(cold, 0, 0)).advance(STORE_NS);
        assertEquals(1, wire.adapter.faultsOpen());
        wire.pass(30_000_000, 100_000);
        assertEquals(0, wire.adapter.faultsOpen());
        assertEquals(1, wire.counted(Counter.PAGE_LEASES_EXPIRED));
        cold.evict(1);
        wire.arrived();
        wire.peerSends(Kind.WRITE.request(cold, 0, 0)).adapterSends(WirePacket.rnrNak(0, RnrTimer.US_160, 0));
        assertEquals(2, wire.counted(Counter.WRITE_PAGE_FAULTS));
    }

    /** However slow the store was and however long the peer was told to wait. */
    @Test
    void aLeaseLasts50MillisecondsAtMost() {
        storeTakes(60_000_000);
        for (int psn = 0; psn <= RnrPolicy.PROMPT_MIN; psn++) {
            cold.evict(1);
            wire.peerSends(Kind.WRITE.request(cold, psn, 0));
            wire.advance(59_900_000).peerSends(Kind.WRITE.request(cold, psn, 0));
            wire.advance(100_000);
            wire.arrived();
            if (psn < RnrPolicy.PROMPT_MIN) {
                wire.peerSends(Kind.WRITE.request(cold, psn, 0)).adapterSends(WirePacket.ack(psn, psn + 1));
            }
        }
        wire.pass(49_000_000, 1_000_000);
        assertEquals(1, wire.adapter.faultsOpen());
        wire.pass(2_000_000, 1_000_000);
        assertEquals(0, wire.adapter.faultsOpen());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aLostPageIsAnErrorOfThisQueuePairOnly(Kind kind) {
        cold.evict(1);
        cold.lose();
        wire.post(new WorkRequest.Receive(9, cold.segment(PAGE + 8, 8)));
        wire.peerSends(kind.request(cold, 0, 0));
        wire.arrived();
        wire.advance(STORE_NS).adapterSends(WirePacket.nak(0, NakCode.REMOTE_OPERATIONAL_ERROR, 0));
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
        if (kind == Kind.SEND || kind == Kind.SEND_WITH_INVALIDATE) {
            wire.completes(9, Operation.RECEIVE, Status.LOCAL_PROTECTION_ERROR);
        } else {
            wire.completes(9, Operation.RECEIVE, Status.FLUSHED);
        }
        assertEquals(0, wire.adapter.faultsOpen());
    }

    @Test
    void aDriverThatNeverAnswersHasATimeLimit() {
        cold.evict(1);
        cold.stall();
        wire.peerSends(Kind.WRITE.request(cold, 0, 0));
        wire.arrived();
        wire.pass(Duration.ofMillis(3990).toNanos(), 10_000_000).adapterIsSilent();
        wire.pass(Duration.ofMillis(20).toNanos(), 1_000_000);
        wire.adapterSends(WirePacket.nak(0, NakCode.REMOTE_OPERATIONAL_ERROR, 0));
        assertEquals(1, wire.counted(Counter.PAGE_FAULT_LIMITS));
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
        assertEquals(0, wire.adapter.faultsOpen());
    }

    @Test
    void abortedWhileItLastsItKeepsNothing() {
        cold.evict(1);
        wire.peerSends(Kind.WRITE.request(cold, 0, 0));
        wire.queuePair.abort();
        assertEquals(0, wire.adapter.faultsOpen());
        wire.arrived();
        wire.pass(10_000_000, 50_000).adapterIsSilent();
    }

    /** An acknowledgement at that moment would say that the page is present. */
    @Test
    void aRepetitionOfWhatWasBeforeGetsTheRefusalAgain() {
        cold.evict(1);
        WirePacket before =
                WirePacket.writeOnly(0, cold.reth(0, 8), new byte[8]).asking();
        wire.peerSends(before, Kind.WRITE.request(cold, 1, 0))
                .adapterSends(WirePacket.ack(0, 1), WirePacket.rnrNak(1, FIRST, 1));
        wire.advance(60_000).peerSends(before).adapterSends(WirePacket.rnrNak(1, FIRST, 1));
        wire.advance(STORE_NS).adapterSends(WirePacket.ack(0, 1));
    }

    /** The invitation waits behind the answer to a read until the request has come by itself. */
    @Test
    void anInvitationThatHasNotLeftIsForgottenWhenTheRequestCame() {
        cold.evict(1, 3);
        cold.stall();
        WirePacket request = Kind.WRITE.request(cold, 2, 0);
        wire.peerSends(
                        WirePacket.readRequest(0, cold.reth(3 * PAGE, 8)),
                        WirePacket.writeOnly(1, cold.reth(0, 8), new byte[8]),
                        request)
                .adapterIsSilent();
        wire.advance(STORE_NS).adapterIsSilent();
        wire.peerSends(request).adapterIsSilent();
        assertEquals(0, wire.adapter.faultsOpen() - 1, "but for the read's");
        cold.resume();
        wire.advance(1).adapterSends(WirePacket.readResponseOnly(0, 1, new byte[8]), WirePacket.ack(2, 3));
        wire.pass(10_000_000, 50_000).adapterIsSilent();
        assertEquals(0, wire.counted(Counter.SENT_UNSOLICITED_ACKS));
    }

    /** Linux would take an acknowledgement with a read's or an atomic's number for its answer. */
    @Test
    void behindAReadOrAnAtomicNobodyIsCalled() {
        cold.evict(1);
        wire.peerSends(WirePacket.readRequest(0, cold.reth(0, 8)), Kind.WRITE.request(cold, 1, 0));
        assertEquals(2, wire.arrived().size());
        wire.advance(STORE_NS).adapterIsSilent();
        wire.peerSends(Kind.WRITE.request(cold, 1, 0)).adapterSends(WirePacket.ack(1, 2));
        // The peer shows that it comes at an invitation.
        int psn = 2;
        for (; psn < 2 + RnrPolicy.PROMPT_MIN; psn++) {
            cold.evict(1);
            wire.peerSends(Kind.WRITE.request(cold, psn, 0));
            wire.arrived();
            wire.advance(STORE_NS).adapterSends(WirePacket.ack(psn - 1, psn));
            wire.peerSends(Kind.WRITE.request(cold, psn, 0)).adapterSends(WirePacket.ack(psn, psn + 1));
        }
        // Behind an atomic it is not invited nevertheless.
        cold.evict(1);
        wire.peerSends(
                WirePacket.fetchAdd(psn, cold.reth(0, 8).address(), cold.region.key(), 1),
                Kind.WRITE.request(cold, psn + 1, 0));
        assertEquals(2, wire.arrived().size());
        wire.advance(STORE_NS).adapterIsSilent();
        wire.pass(1_000_000, 50_000).adapterIsSilent();
        wire.peerSends(Kind.WRITE.request(cold, psn + 1, 0)).adapterSends(WirePacket.ack(psn + 1, psn + 2));
    }

    /** Packets that were under way when the refusal left get no answer, in any order and number. */
    @Test
    void behindARefusalItIsSilentInAnyOrder() {
        cold.evict(1);
        WirePacket behind =
                WirePacket.writeOnly(1, cold.reth(0, 8), new byte[8]).asking();
        wire.peerSends(Kind.WRITE.request(cold, 0, 0), behind.at(3), behind.at(1), behind.at(1), behind.at(2))
                .adapterSends(WirePacket.rnrNak(0, FIRST, 0));
        wire.peerSends(behind.at(2), behind.at(1), behind.at(4)).adapterIsSilent();
        assertEquals(0, wire.counted(Counter.SENT_SEQUENCE_NAKS));
    }

    /** The refusal waits behind the answer to a read whose page is missing, too. */
    @Test
    void aRefusalThatHasNotLeftIsNotReplaced() {
        storeTakes(10_000_000);
        cold.evict(1, 3);
        WirePacket behind =
                WirePacket.writeOnly(2, cold.reth(0, 8), new byte[8]).asking();
        wire.peerSends(WirePacket.readRequest(0, cold.reth(3 * PAGE, 8)), Kind.WRITE.request(cold, 1, 0))
                .adapterIsSilent();
        wire.advance(5_000_000).peerSends(behind, behind.at(3), behind).adapterIsSilent();
        assertEquals(0, wire.counted(Counter.SENT_FAULT_RNR_NAKS), "counted when it leaves");
        wire.advance(5_000_000)
                .adapterSends(WirePacket.readResponseOnly(0, 1, new byte[8]), WirePacket.rnrNak(1, RnrTimer.US_240, 1));
        assertEquals(0, wire.counted(Counter.SENT_SEQUENCE_NAKS));
        assertEquals(1, wire.counted(Counter.SENT_FAULT_RNR_NAKS));
    }

    private static long toldNs(WirePacket nak) {
        return Syndrome.rnrTimer(Objects.requireNonNull(nak.aeth()).syndrome()).nanoseconds();
    }

    @Test
    void theTimeToldFollowsTheStore() {
        storeTakes(700_000);
        for (int i = 0; i < 20; i++) {
            cold.evict(1);
            wire.peerSends(Kind.WRITE.request(cold, i, 0));
            WirePacket nak = wire.arrived().getFirst();
            if (i > RnrPolicy.PROMPT_MIN) {
                // The peer comes at an invitation: twice the longest, and a round trip, which is none here.
                long toldNs = toldNs(nak);
                assertTrue(toldNs >= 1_400_000 && toldNs <= 2_560_000, "told " + toldNs);
            }
            wire.advance(700_000);
            wire.peerSends(Kind.WRITE.request(cold, i, 0));
            assertEquals(WirePacket.ack(i, i + 1), wire.arrived().getLast());
        }
        assertEquals(20, wire.counted(Counter.SENT_FAULT_RNR_NAKS));
    }

    /** Without it the peer would have to wait for its timeout. */
    @Test
    void comeAgainWithoutTheOneAwaitedThePeerIsToldOfTheLoss() {
        cold.evict(1);
        WirePacket request = Kind.WRITE.request(cold, 0, 0);
        WirePacket behind =
                WirePacket.writeOnly(1, cold.reth(0, 8), new byte[8]).asking();
        wire.peerSends(request).adapterSends(WirePacket.rnrNak(0, FIRST, 0));
        wire.peerSends(behind, behind.at(2)).adapterIsSilent();
        wire.advance(STORE_NS).adapterSends(WirePacket.ack(-1, 0));
        wire.peerSends(behind.at(3)).adapterIsSilent();
        wire.advance(RnrPolicy.ROUND_TRIP_FIRST_NS);
        wire.peerSends(behind).adapterSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
        wire.peerSends(behind.at(2), behind.at(3), behind.at(4)).adapterIsSilent();
        wire.peerSends(request, behind).adapterSends(WirePacket.ack(0, 1), WirePacket.ack(1, 2));
    }

    /** No packet was on its way behind the refused one: a packet that comes after the time told is new. */
    @Test
    void comeForTheFirstTimeBehindTheOneAwaitedItIsALossAsWell() {
        cold.evict(1);
        WirePacket request = Kind.WRITE.request(cold, 0, 0);
        WirePacket behind =
                WirePacket.writeOnly(1, cold.reth(0, 8), new byte[8]).asking();
        wire.peerSends(request).adapterSends(WirePacket.rnrNak(0, FIRST, 0));
        wire.advance(STORE_NS).adapterSends(WirePacket.ack(-1, 0));
        wire.advance(RnrPolicy.ROUND_TRIP_FIRST_NS);
        wire.peerSends(behind).adapterSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
    }

    /** Linux goes on sending until its thread for answers has run: the rest of a burst may follow for long. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void howeverLongTheRestOfABurstComesNothingIsSaidOfIt(boolean fault) {
        cold.evict(1);
        WirePacket request = (fault ? Kind.WRITE : Kind.SEND).request(cold, 0, 0);
        WirePacket behind =
                WirePacket.writeOnly(1, cold.reth(0, 8), new byte[8]).asking();
        wire.peerSends(request);
        WirePacket nak = wire.arrived().getFirst();
        long toldNs =
                Syndrome.rnrTimer(Objects.requireNonNull(nak.aeth()).syndrome()).nanoseconds();
        int psn = 1;
        for (long ns = 0; ns < toldNs + 200_000; ns += 10_000) {
            wire.advance(10_000).peerSends(behind.at(psn++));
        }
        assertEquals(0, wire.counted(Counter.SENT_SEQUENCE_NAKS));
        assertTrue(wire.counted(Counter.OUT_OF_SEQUENCE_REQUESTS) > 20);
        // After a pause it sends again, without the first packet: that is a loss.
        wire.advance(toldNs + 10_000);
        wire.arrived();
        wire.peerSends(behind, behind.at(2)).adapterSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
    }
}
