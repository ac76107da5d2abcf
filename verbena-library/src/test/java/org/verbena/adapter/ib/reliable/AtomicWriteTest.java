package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** Eight bytes written at once (specification 1.5, annex A19): answered by a read response without data. */
final class AtomicWriteTest {
    private static final long VALUE = 0x0102_0304_0506_0708L;

    private final Exchange wire = new Exchange(Exchange.USUAL.withReads(2, 2));

    @AfterEach
    void close() {
        wire.close();
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
    }

    private static WirePacket request(int psn, Reth reth, byte[] data) {
        return WirePacket.of(Opcode.RC_ATOMIC_WRITE, psn).to(reth).with(data).asking();
    }

    private static WirePacket done(int psn, int msn) {
        return WirePacket.readResponseOnly(psn, msn, new byte[0]);
    }

    private long word(long offset) {
        return wire.memory.get(ValueLayout.JAVA_LONG, offset);
    }

    @Test
    void isExecutedOnceAndAnsweredAsOftenAsItIsAskedFor() {
        WirePacket request = request(0, wire.reth(64, 8), bytes(VALUE));
        wire.peerSends(request).adapterSends(done(0, 1));
        assertEquals(VALUE, word(64));
        wire.memory.set(ValueLayout.JAVA_LONG, 64, 5);
        wire.peerSends(request).adapterSends(done(0, 1));
        assertEquals(5, word(64));
        wire.peerSends(WirePacket.writeOnly(1, wire.reth(0, 1), new byte[1]).asking());
        wire.adapterSends(WirePacket.ack(1, 2));
    }

    private void refused(WirePacket request, NakCode code) {
        try (var other = new Exchange(Exchange.USUAL.withRemoteRights(EnumSet.of(Right.REMOTE_READ)))) {
            other.peerSends(request(0, other.reth(64, 8), bytes(VALUE)));
            other.adapterSends(WirePacket.nak(0, NakCode.INVALID_REQUEST, 0));
        }
        wire.peerSends(request).adapterSends(WirePacket.nak(0, code, 0));
        assertEquals(0, word(64));
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
    }

    @Test
    void anAddressThatIsNotAlignedIsAnInvalidRequest() {
        refused(request(0, wire.reth(60, 8), bytes(VALUE)), NakCode.INVALID_REQUEST);
    }

    @Test
    void anyOtherLengthIsAnInvalidRequest() {
        refused(request(0, wire.reth(64, 4), new byte[] {1, 2, 3, 4}), NakCode.INVALID_REQUEST);
    }

    @Test
    void dataThatIsNotAsLongAsItSaysIsAnInvalidRequest() {
        refused(request(0, wire.reth(64, 8), new byte[] {1, 2, 3, 4}), NakCode.INVALID_REQUEST);
    }

    @Test
    void aWrongKeyIsARemoteAccessError() {
        Reth reth = new Reth(wire.region.address() + 64, wire.region.key() ^ 1, 8);
        refused(request(0, reth, bytes(VALUE)), NakCode.REMOTE_ACCESS_ERROR);
    }

    private static WorkRequest.AtomicWrite post(int id) {
        return new WorkRequest.AtomicWrite(id, VALUE + id, Exchange.remote(id * 8L), SendOptions.SIGNALLED);
    }

    private static WirePacket sent(int psn, int id) {
        var remote = Exchange.remote(id * 8L);
        return request(psn, new Reth(remote.address(), remote.key(), 8), bytes(VALUE + id));
    }

    @Test
    void theRequesterWaitsForTheAnswerToEachAndHasNoMoreThanTwoUnderWay() {
        wire.post(post(1), post(2), post(3));
        wire.adapterSends(sent(0, 1), sent(1, 2));
        wire.peerSends(done(0, 1)).adapterSends(sent(2, 3));
        wire.complete(1);
        // The answer to a later one shows that an answer was lost.
        wire.peerSends(done(2, 3)).adapterSends(sent(1, 2), sent(2, 3));
        wire.complete();
        wire.peerSends(done(1, 2), done(2, 3)).complete(2, 3);
    }

    @Test
    void anAnswerWithDataIsNoAnswer() {
        wire.post(post(1));
        wire.arrived();
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]), WirePacket.atomicAck(0, 1, 7));
        wire.complete();
        wire.peerSends(WirePacket.nak(0, NakCode.REMOTE_ACCESS_ERROR, 0));
        wire.completes(1, Operation.ATOMIC_WRITE, Status.REMOTE_ACCESS_ERROR);
    }
}
