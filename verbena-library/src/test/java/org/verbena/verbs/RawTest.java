package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.Wires;
import org.verbena.link.Endpoint;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.trace.Counter;

/** Raw packets by EtherType, within the process. */
@OverSwitches
final class RawTest {
    private static final int TYPE = 0x88b5;

    private static WorkRequest.SendRaw raw(Pair pair, int... bytes) {
        byte[] data = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            data[i] = (byte) bytes[i];
        }
        AddressHandle to = pair.a.adapter.createAddressHandle(pair.a.domain, pair.b.adapter.endpoint());
        return new WorkRequest.SendRaw(1, Payload.inline(data), to, SendOptions.SIGNALLED);
    }

    @Test
    void aRawPacketReachesTheQueuePairOfItsType() {
        try (Pair pair = new Pair(1 << 16, 16, Service.RAW)) {
            QueuePair other = pair.b.adapter.createQueuePair(
                    QueuePairOptions.of(pair.b.domain, pair.b.completions).withService(Service.RAW));
            pair.a.queuePair.activateRaw(TYPE);
            pair.b.queuePair.activateRaw(TYPE);
            other.activateRaw(TYPE + 1);
            other.post(new WorkRequest.Receive(3, pair.b.segment(100, 100)));
            int length = Wires.isOnFabric() ? 4 : 3; // a fabric carries words
            pair.b.queuePair.post(new WorkRequest.Receive(2, pair.b.segment(0, length)));
            pair.a.queuePair.post(raw(pair, 1, 2, 3));
            pair.run();
            assertEquals(1, pair.a.drain().size());
            Completion received = pair.b.drain().getFirst();
            assertEquals(2, received.id());
            assertEquals(length, received.byteLength());
            assertArrayEquals(new byte[] {1, 2, 3}, pair.b.memory.asSlice(0, 3).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @Test
    void whatNobodyTakesIsDroppedAndCounted() {
        try (Pair pair = new Pair(1 << 16, 16, Service.RAW)) {
            pair.a.queuePair.activateRaw(TYPE);
            pair.a.queuePair.post(raw(pair, 1));
            pair.run();
            assertEquals(1, pair.b.adapter.counters().value(Counter.DROPPED_UNKNOWN_QUEUE_PAIR));
            pair.b.queuePair.activateRaw(TYPE);
            pair.a.queuePair.post(raw(pair, 1));
            pair.run();
            assertEquals(1, pair.b.adapter.counters().value(Counter.DROPPED_NO_RECEIVE));
            pair.b.queuePair.post(new WorkRequest.Receive(2, pair.b.segment(0, 1)));
            pair.a.queuePair.post(raw(pair, 1, 2));
            pair.run();
            assertEquals(1, pair.b.adapter.counters().value(Counter.DROPPED_TOO_LONG));
            assertEquals(List.of(), pair.b.drain());
        }
    }

    @Test
    void aTypeHasOneQueuePairAndIsFreeAgainAfterReset() {
        try (Pair pair = new Pair(1 << 16, 16, Service.RAW)) {
            QueuePair other = pair.a.adapter.createQueuePair(
                    QueuePairOptions.of(pair.a.domain, pair.a.completions).withService(Service.RAW));
            pair.a.queuePair.activateRaw(TYPE);
            assertThrows(IllegalStateException.class, () -> other.activateRaw(TYPE));
            pair.a.queuePair.reset();
            other.activateRaw(TYPE);
            assertEquals(QueuePairState.READY_TO_SEND, other.state());
        }
    }

    @Test
    void linksThatCarryNoRawPacketsAreNamed() {
        try (Adapter adapter = Adapter.open(UdpNetwork.open(Endpoint.of("127.0.0.1", 0)), AdapterOptions.DEFAULT)) {
            Node node = new Node(adapter, 4096, 16, Service.RAW);
            var error = assertThrows(IllegalStateException.class, () -> node.queuePair.activateRaw(TYPE));
            assertTrue(String.valueOf(error.getMessage()).contains("carries no raw packets"), error::getMessage);
        }
    }

    @Test
    void onlyRawPacketsCanBePosted() {
        try (Pair pair = new Pair(1 << 16, 16, Service.RAW);
                Pair connected = new Pair()) {
            pair.a.queuePair.activateRaw(TYPE);
            var send = new WorkRequest.Send(1, pair.a.segment(0, 4));
            assertThrows(IllegalArgumentException.class, () -> pair.a.queuePair.post(send));
            assertThrows(IllegalArgumentException.class, () -> connected.a.queuePair.post(raw(pair, 1)));
            assertThrows(IllegalStateException.class, () -> connected.a.queuePair.activateRaw(TYPE));
        }
    }
}
