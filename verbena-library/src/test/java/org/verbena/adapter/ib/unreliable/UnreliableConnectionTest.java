package org.verbena.adapter.ib.unreliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.verbena.exchange.Exchange.pattern;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.memory.Region;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** An unreliable connection, packet by packet: nothing is answered, and a message is taken whole or not at all. */
final class UnreliableConnectionTest {
    private final Exchange wire = new Exchange(Exchange.USUAL, options -> options.withService(Service.UC));

    @AfterEach
    void nothingWasAnswered() {
        wire.adapterIsSilent();
        wire.close();
    }

    private static byte[] part(byte[] data, int index) {
        return Arrays.copyOfRange(data, index * 256, Math.min(data.length, (index + 1) * 256));
    }

    private static WirePacket first(int psn, byte[] data) {
        return WirePacket.send(Opcode.UC_SEND_FIRST, psn, part(data, 0));
    }

    private static WirePacket middle(int psn, byte[] data) {
        return WirePacket.send(Opcode.UC_SEND_MIDDLE, psn, part(data, 1));
    }

    private static WirePacket last(int psn, byte[] data) {
        return WirePacket.send(Opcode.UC_SEND_LAST, psn, part(data, 2));
    }

    private static WirePacket only(int psn, byte[] data) {
        return WirePacket.send(Opcode.UC_SEND_ONLY, psn, data);
    }

    private void receive(long id, long offset, long length) {
        wire.post(new WorkRequest.Receive(id, wire.segment(offset, length)));
    }

    // --- sending

    @Test
    void aSendIsCutInPacketsAndDoneWhenTheyHaveLeft() {
        byte[] data = wire.fill(0, 600, 3);
        wire.post(new WorkRequest.Send(1, wire.segment(0, 600)));
        wire.adapterSends(first(0, data), middle(1, data), last(2, data));
        wire.completes(1, Operation.SEND, Status.SUCCESS);
    }

    @Test
    void immediateDataTravelsWithTheLastPacket() {
        byte[] data = wire.fill(0, 300, 3);
        wire.post(
                new WorkRequest.SendWithImmediate(1, Payload.of(wire.segment(0, 300)), 77, SendOptions.SIGNALLED),
                new WorkRequest.SendWithImmediate(
                        2, Payload.inline(new byte[0]), 78, new SendOptions(true, false, true)));
        wire.adapterSends(
                first(0, data),
                WirePacket.send(Opcode.UC_SEND_LAST_WITH_IMMEDIATE, 1, part(data, 1))
                        .with(77),
                WirePacket.of(Opcode.UC_SEND_ONLY_WITH_IMMEDIATE, 2).with(78).soliciting());
        wire.complete(1, 2);
    }

    @Test
    void aWriteNamesTheMemoryInItsFirstPacket() {
        byte[] data = wire.fill(0, 300, 3);
        wire.post(
                new WorkRequest.Write(1, wire.segment(0, 300), Exchange.remote(0x1000)),
                new WorkRequest.WriteWithImmediate(
                        2, Payload.of(wire.segment(0, 4)), Exchange.remote(0x2000), 9, SendOptions.SIGNALLED));
        wire.adapterSends(
                WirePacket.of(Opcode.UC_RDMA_WRITE_FIRST, 0)
                        .to(new Reth(0x1000, 0xabcd_ef01, 300))
                        .with(part(data, 0)),
                WirePacket.of(Opcode.UC_RDMA_WRITE_LAST, 1).with(part(data, 1)),
                WirePacket.of(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, 2)
                        .to(new Reth(0x2000, 0xabcd_ef01, 4))
                        .with(9)
                        .with(Arrays.copyOf(data, 4)));
        wire.complete(1, 2);
    }

    @Test
    void whatTheServiceDoesNotHaveIsRefusedAtThePost() {
        var read = new WorkRequest.Read(1, wire.segment(0, 4), Exchange.remote(0));
        var invalidate =
                new WorkRequest.SendWithInvalidate(1, Payload.of(wire.segment(0, 4)), 5, SendOptions.SIGNALLED);
        assertThrows(IllegalArgumentException.class, () -> wire.queuePair.post(read));
        assertThrows(IllegalArgumentException.class, () -> wire.queuePair.post(invalidate));
    }

    @Test
    void aRequestThatCannotBeDoneStopsTheSendQueueOnlyUntilItIsResumed() {
        Region foreign = wire.foreignRegion(EnumSet.allOf(Right.class));
        wire.post(
                new WorkRequest.Send(1, wire.segment(0, 4)),
                new WorkRequest.Send(2, LocalSegment.of(foreign, 0, 4)),
                new WorkRequest.Send(3, wire.segment(0, 4)));
        wire.adapterSends(only(0, new byte[4]));
        assertEquals(
                List.of("1 SUCCESS", "2 LOCAL_PROTECTION_ERROR", "3 FLUSHED"),
                wire.completions().stream().map(c -> c.id() + " " + c.status()).toList());
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, wire.queuePair.state());
        wire.post(new WorkRequest.Send(4, wire.segment(0, 4)));
        wire.completes(4, Operation.SEND, Status.FLUSHED);

        receive(5, 64, 4);
        wire.peerSends(only(0, pattern(4, 1)));
        wire.completes(5, Operation.RECEIVE, Status.SUCCESS);

        wire.queuePair.resume();
        wire.post(new WorkRequest.Send(6, wire.segment(0, 4)));
        wire.adapterSends(only(1, new byte[4]));
        wire.completes(6, Operation.SEND, Status.SUCCESS);
    }

    @Test
    void aDrainedQueueSaysSoAndSendsNothingBeforeItIsResumed() {
        wire.queuePair.drain();
        wire.run();
        assertEquals(List.of(EventKind.SEND_QUEUE_DRAINED), wire.events());
        wire.post(new WorkRequest.Send(1, wire.segment(0, 4))).adapterIsSilent();
        wire.queuePair.resume();
        wire.run().adapterSends(only(0, new byte[4]));
        wire.complete(1);
    }

    @Test
    void inErrorEverythingComesBackFlushed() {
        receive(1, 0, 4);
        wire.queuePair.abort();
        wire.post(new WorkRequest.Send(2, wire.segment(0, 4)));
        receive(3, 0, 4);
        assertEquals(
                List.of("1 FLUSHED", "2 FLUSHED", "3 FLUSHED"),
                wire.completions().stream().map(c -> c.id() + " " + c.status()).toList());
    }

    // --- receiving

    @Test
    void aMessageOfSeveralPacketsCompletesOneReceive() {
        byte[] data = pattern(600, 5);
        receive(1, 0, 1000);
        wire.peerSends(first(0, data), middle(1, data), last(2, data).soliciting());
        Completion done = wire.completion();
        assertEquals(600, done.byteLength());
        assertArrayEquals(data, wire.bytesAt(0, 600));
        assertEquals(List.of(), wire.events());
    }

    @Test
    void theFirstPacketIsToldOfToWhoCannotSendYet() {
        wire.queuePair.reset();
        wire.queuePair.initialize(java.util.Set.of());
        wire.queuePair.readyToReceive(wire.peerAddress(), Exchange.USUAL);
        byte[] data = pattern(600, 5);
        wire.peerSends(first(0, data), middle(1, data));
        assertEquals(List.of(EventKind.COMMUNICATION_ESTABLISHED), wire.events());
    }

    /** The packet belongs to the connection that the watcher has ended. */
    @Test
    void aWatcherOfTheFirstPacketMayConnectTheQueuePairAnew() {
        wire.queuePair.reset();
        wire.queuePair.initialize(java.util.Set.of());
        wire.queuePair.readyToReceive(wire.peerAddress(), Exchange.USUAL);
        wire.adapter.events().watch(wire.queuePair, kind -> {
            wire.adapter.events().watch(wire.queuePair, null);
            wire.queuePair.reset();
            wire.queuePair.connect(wire.peerAddress(), Exchange.USUAL);
            return wire.queuePair.post(new WorkRequest.Receive(7, wire.segment(0, 8)));
        });
        wire.peerSends(only(0, new byte[] {5}));
        assertEquals(List.of(), wire.completions());
        wire.peerSends(only(0, new byte[] {6}));
        wire.complete(7);
        assertEquals(6, wire.bytesAt(0, 1)[0]);
    }

    @Test
    void aMessageWithAGapIsDroppedAndItsReceiveServesTheNext() {
        byte[] lost = pattern(600, 5);
        byte[] next = pattern(600, 6);
        receive(1, 0, 1000);
        wire.peerSends(first(0, lost), last(2, lost));
        assertEquals(List.of(), wire.completions());
        assertEquals(1, wire.counted(Counter.DROPPED_INCOMPLETE_MESSAGES));
        wire.peerSends(first(3, next), middle(4, next), last(5, next));
        wire.complete(1);
        assertArrayEquals(next, wire.bytesAt(0, 600));
    }

    @Test
    void aMessageWhoseFirstPacketWasLostIsNotTaken() {
        byte[] data = pattern(600, 5);
        receive(1, 0, 1000);
        wire.peerSends(middle(1, data), last(2, data));
        assertEquals(List.of(), wire.completions());
        assertEquals(2, wire.counted(Counter.DROPPED_REST_OF_MESSAGE));
        assertArrayEquals(new byte[600], wire.bytesAt(0, 600));
        wire.peerSends(only(3, new byte[] {1}));
        wire.complete(1);
    }

    @Test
    void aNewMessageEndsTheOneBeforeIt() {
        byte[] data = pattern(600, 5);
        receive(1, 0, 1000);
        wire.peerSends(first(0, data), middle(1, data), only(3, pattern(8, 9)));
        Completion done = wire.completion();
        assertEquals(8, done.byteLength());
        assertArrayEquals(pattern(8, 9), wire.bytesAt(0, 8));
        wire.peerSends(last(4, data));
        assertEquals(List.of(), wire.completions());
    }

    @Test
    void aLastPacketOfAnotherKindEndsTheMessage() {
        byte[] data = pattern(600, 5);
        receive(1, 0, 1000);
        wire.peerSends(
                first(0, data), WirePacket.of(Opcode.UC_RDMA_WRITE_LAST, 1).with(new byte[4]));
        wire.peerSends(last(2, data));
        assertEquals(List.of(), wire.completions());
        assertEquals(QueuePairState.READY_TO_SEND, wire.queuePair.state());
    }

    @Test
    void aWriteDoesNotCompleteTheReceiveOfASendThatWasCutShort() {
        receive(1, 0, 1000);
        wire.peerSends(
                first(0, pattern(600, 5)),
                WirePacket.of(Opcode.UC_RDMA_WRITE_ONLY, 5)
                        .to(wire.reth(4096, 4))
                        .with(pattern(4, 7)));
        assertEquals(List.of(), wire.completions());
        assertArrayEquals(pattern(4, 7), wire.bytesAt(4096, 4));
        wire.peerSends(only(6, new byte[2]));
        wire.complete(1);
    }

    @Test
    void withoutAReceiveAMessageIsLostAndCounted() {
        byte[] data = pattern(600, 5);
        wire.peerSends(first(0, data));
        receive(1, 0, 1000);
        wire.peerSends(middle(1, data), last(2, data));
        assertEquals(List.of(), wire.completions());
        assertEquals(1, wire.counted(Counter.DROPPED_NO_RECEIVE));
        wire.peerSends(only(3, new byte[2]));
        wire.complete(1);
    }

    @Test
    void aMessageTooLongForItsReceiveIsLostAndCounted() {
        byte[] data = pattern(600, 5);
        receive(1, 0, 500);
        wire.peerSends(first(0, data), middle(1, data), last(2, data));
        assertEquals(List.of(), wire.completions());
        assertEquals(1, wire.counted(Counter.DROPPED_TOO_LONG));
        wire.peerSends(only(3, new byte[2]));
        wire.complete(1);
    }

    @Test
    void packetsOfTheWrongLengthAreNotTaken() {
        receive(1, 0, 500);
        wire.peerSends(WirePacket.send(Opcode.UC_SEND_FIRST, 0, new byte[255]), only(1, new byte[257]));
        assertEquals(2, wire.counted(Counter.DROPPED_INVALID_REQUEST));
        assertEquals(List.of(), wire.completions());
        wire.peerSends(only(2, new byte[2]));
        wire.complete(1);
    }

    @Test
    void aReceiveWithoutMemoryFailsAndTheQueuePairWithIt() {
        Region foreign = wire.foreignRegion(EnumSet.allOf(Right.class));
        wire.post(new WorkRequest.Receive(1, LocalSegment.of(foreign, 0, 100)));
        wire.peerSends(only(0, new byte[2]));
        wire.completes(1, Operation.RECEIVE, Status.LOCAL_PROTECTION_ERROR);
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
    }

    @Test
    void aWriteLandsWhereItSays() {
        byte[] data = pattern(300, 8);
        receive(1, 0, 16);
        wire.peerSends(
                WirePacket.of(Opcode.UC_RDMA_WRITE_FIRST, 0)
                        .to(wire.reth(512, 300))
                        .with(part(data, 0)),
                WirePacket.of(Opcode.UC_RDMA_WRITE_LAST_WITH_IMMEDIATE, 1)
                        .with(part(data, 1))
                        .with(42));
        Completion done = wire.completion();
        assertEquals(Operation.RECEIVE_WRITE_WITH_IMMEDIATE, done.operation());
        assertEquals(42, done.immediate());
        assertEquals(300, done.byteLength());
        assertArrayEquals(data, wire.bytesAt(512, 300));
    }

    @Test
    void aWriteWithAKeyThatIsNoneChangesNothingAndIsCounted() {
        Reth wrong = new Reth(wire.region.address(), wire.region.key() ^ 0x100, 4);
        wire.peerSends(WirePacket.of(Opcode.UC_RDMA_WRITE_ONLY, 0).to(wrong).with(pattern(4, 7)));
        assertEquals(1, wire.counted(Counter.REMOTE_ACCESS_ERRORS));
        assertArrayEquals(new byte[4], wire.bytesAt(0, 4));
        assertEquals(QueuePairState.READY_TO_SEND, wire.queuePair.state());
    }

    @Test
    void aWriteToAQueuePairThatLetsNobodyWriteChangesNothing() {
        try (Exchange closed = new Exchange(
                Exchange.USUAL.withRemoteRights(EnumSet.noneOf(Right.class)),
                options -> options.withService(Service.UC))) {
            closed.peerSends(WirePacket.of(Opcode.UC_RDMA_WRITE_ONLY, 0)
                    .to(closed.reth(0, 4))
                    .with(pattern(4, 7)));
            assertEquals(1, closed.counted(Counter.DROPPED_INVALID_REQUEST));
            assertArrayEquals(new byte[4], closed.bytesAt(0, 4));
        }
    }

    @Test
    void packetsOfTheReliableServiceAreNotTaken() {
        receive(1, 0, 16);
        wire.peerSends(WirePacket.sendOnly(0, new byte[4]));
        assertEquals(1, wire.counted(Counter.DROPPED_WRONG_SERVICE));
        assertEquals(List.of(), wire.completions());
    }
}
