package org.verbena.adapter.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.exchange.CapturedConversation;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.memory.Key;
import org.verbena.memory.Region;
import org.verbena.memory.Right;
import org.verbena.memory.Window;
import org.verbena.queue.Operation;
import org.verbena.queue.Status;
import org.verbena.verbs.Completion;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Reth;
import org.verbena.wire.ib.RnrTimer;
import org.verbena.wire.ib.Syndrome;

/**
 * The requests of a Linux client, replayed from captures with only keys and addresses replaced by ours: the answers must
 * be those a Linux server gave, packet by packet. Then the same answers given to our requester: the status of its
 * completion must be the one a Linux client saw.
 */
final class LinuxAnswersTest {
    private static final RnrTimer CAPTURED_TIMER = RnrTimer.of(27);

    private final Exchange wire =
            new Exchange(Exchange.USUAL.withMtu(Mtu.MTU_4096).withRnr(7, CAPTURED_TIMER));

    @AfterEach
    void close() {
        wire.close();
    }

    /** The server's memory was at {@code base}; each key is replaced by one of ours. */
    private WirePacket ours(WirePacket packet, Region region, long base, IntUnaryOperator keys) {
        WirePacket mine = packet;
        Reth reth = packet.reth();
        if (reth != null) {
            long address = region.address() + reth.address() - base;
            mine = mine.to(new Reth(address, keys.applyAsInt(reth.key()), reth.length()));
        }
        AtomicEth atomic = packet.atomic();
        if (atomic != null) {
            long address = region.address() + atomic.address() - base;
            int key = keys.applyAsInt(atomic.key());
            mine = new WirePacket(
                    mine.opcode(),
                    mine.psn(),
                    mine.ackRequest(),
                    mine.solicited(),
                    null,
                    new AtomicEth(address, key, atomic.swapOrAdd(), atomic.compare()),
                    null,
                    null,
                    null,
                    mine.payload());
        }
        return packet.opcode().carriesInvalidate()
                ? mine.with(keys.applyAsInt(Objects.requireNonNull(packet.value())))
                : mine;
    }

    private List<WirePacket> replay(CapturedConversation captured, Region region, long base, IntUnaryOperator keys) {
        for (WirePacket request : captured.requests()) {
            wire.peerSends(ours(request, region, base, keys));
        }
        return wire.arrived();
    }

    /** Replays a capture whose only key, perhaps disfigured, is {@code serverKey}. */
    private void answersAlike(String name, Region region, long base, int serverKey) {
        CapturedConversation captured = CapturedConversation.of(name);
        assertEquals(captured.answers(), replay(captured, region, base, key -> key ^ serverKey ^ region.key()), name);
    }

    @Test
    void aWrongKeyOnAWrite() {
        answersAlike("rxe_nak_badkey_write", wire.region, 0x7f03_3544_3000L, 0xd47);
    }

    @Test
    void aWrongKeyOnARead() {
        answersAlike("rxe_nak_badkey_read", wire.region, 0x7f10_8181_5000L, 0xe50);
    }

    @Test
    void aWriteThatRunsPastTheRegion() {
        answersAlike("rxe_nak_badrange", wire.region, 0x7f7e_d2fb_7000L, 0xfb4);
    }

    @Test
    void aWriteIntoARegionThatMayBeReadOnly() {
        Region region = wire.adapter.register(wire.domain, wire.memory, EnumSet.of(Right.REMOTE_READ));
        CapturedConversation captured = CapturedConversation.of("rxe_nak_readonly");
        byte[] data = captured.answers().getFirst().bytes();
        for (int i = 0; i < data.length; i++) {
            wire.memory.set(ValueLayout.JAVA_BYTE, i, data[i]);
        }
        answersAlike("rxe_nak_readonly", region, 0x7f01_a93a_c000L, 0x10f2);
    }

    @Test
    void atomicsAndWhatTheyLeaveBehind() {
        wire.memory.set(ValueLayout.JAVA_LONG, 0, 0x1000_0000_0000_0001L);
        answersAlike("rxe_atomic", wire.region, 0x7ff8_d4fe_f000L, 0x2e3);
    }

    @Test
    void aWindowIsWrittenReadInvalidatedAndThenRefused() {
        Window window = wire.adapter.createWindow(wire.domain, Window.Type.TYPE_2);
        wire.post(new WorkRequest.BindWindow(
                1,
                window,
                Key.next(window.key()),
                wire.region,
                wire.region.address() + 4096,
                8192,
                Set.of(Right.REMOTE_WRITE, Right.REMOTE_READ),
                SendOptions.SIGNALLED));
        wire.complete(1);
        int key = window.key();
        wire.post(new WorkRequest.Receive(2, wire.segment(100_000, 64)));
        CapturedConversation captured = CapturedConversation.of("rxe_mw_sendinv");
        assertEquals(captured.answers(), replay(captured, wire.region, 0x7f7b_38a0_a000L, _ -> key));
        Completion completion = wire.completion();
        assertEquals(Operation.RECEIVE, completion.operation());
        assertEquals(Integer.valueOf(key), completion.invalidatedKey());
    }

    @Test
    void aSendWithoutAReceive() {
        CapturedConversation captured = CapturedConversation.of("rxe_rnr_fail");
        assertEquals(captured.answers(), replay(captured, wire.region, 0, key -> key));
    }

    /** The standard says invalid request (0x61); Linux says remote operational error (0x63). We follow the standard. */
    @Test
    void aSendLongerThanItsReceiveIsWhereWeDiffer() {
        wire.post(new WorkRequest.Receive(1, wire.segment(0, 2000)));
        CapturedConversation captured = CapturedConversation.of("rxe_nak_toolong");
        List<WirePacket> answers = replay(captured, wire.region, 0, key -> key);
        assertEquals(List.of(WirePacket.nak(0, NakCode.REMOTE_OPERATIONAL_ERROR, 0)), captured.answers());
        assertEquals(List.of(WirePacket.nak(0, NakCode.INVALID_REQUEST, 0)), answers);
        wire.completes(1, Operation.RECEIVE, Status.LOCAL_LENGTH_ERROR);
    }

    // --- the other side: what Linux's refusals mean to our requester

    private void requesterSees(String name, Status status) {
        WirePacket refusal = CapturedConversation.of(name).answers().getFirst();
        Aeth aeth = Objects.requireNonNull(refusal.aeth());
        wire.post(new WorkRequest.Write(1, wire.segment(0, 64), Exchange.remote(0)));
        wire.arrived();
        wire.peerSends(WirePacket.answer(refusal.opcode(), 0, aeth.syndrome(), aeth.msn()));
        wire.completes(1, Operation.WRITE, status);
    }

    @Test
    void aRefusedKeyIsARemoteAccessError() {
        requesterSees("rxe_nak_badkey_write", Status.REMOTE_ACCESS_ERROR);
    }

    @Test
    void linuxsRefusalOfALongSendIsARemoteOperationalError() {
        requesterSees("rxe_nak_toolong", Status.REMOTE_OPERATIONAL_ERROR);
    }

    @Test
    void theCapturedRetriesWithoutAReceiveEndInTheSameError() {
        List<WirePacket> refusals = CapturedConversation.of("rxe_rnr_fail").answers();
        try (var two = new Exchange(Exchange.USUAL.withRnr(2, CAPTURED_TIMER))) {
            two.post(new WorkRequest.Send(1, two.segment(0, 100)));
            for (WirePacket refusal : refusals) {
                assertEquals(1, two.arrived().size());
                Aeth aeth = Objects.requireNonNull(refusal.aeth());
                assertEquals(CAPTURED_TIMER, Syndrome.rnrTimer(aeth.syndrome()));
                two.complete();
                two.peerSends(WirePacket.answer(refusal.opcode(), 0, aeth.syndrome(), aeth.msn()));
                two.advance(CAPTURED_TIMER.nanoseconds() + 20_000);
            }
            two.adapterIsSilent();
            two.completes(1, Operation.SEND, Status.RNR_RETRY_EXCEEDED);
        }
    }
}
