package org.verbena.adapter.ib.unreliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.exchange.ColdMemory;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Opcode;

/** An unreliable connection whose pages are gone: what arrives is dropped, what leaves waits. */
@OverSwitches
final class UnreliableFaultTest {
    private static final int PAGE = ColdMemory.PAGE;
    private static final long STORE_NS = 100_000;

    private final Exchange wire = new Exchange(Exchange.USUAL, options -> options.withService(Service.UC));
    private final ColdMemory cold = new ColdMemory(wire, 8, STORE_NS);

    @AfterEach
    void nothingIsLeft() {
        wire.queuePair.reset();
        assertEquals(0, wire.adapter.faultsOpen());
        cold.close();
        wire.close();
    }

    private static WirePacket part(int psn, byte[] data, int index) {
        Opcode opcode = List.of(Opcode.UC_SEND_FIRST, Opcode.UC_SEND_MIDDLE, Opcode.UC_SEND_LAST)
                .get(index);
        return WirePacket.send(opcode, psn, Arrays.copyOfRange(data, index * 256, Math.min(600, index * 256 + 256)));
    }

    @Test
    void aMessageThatMissesAPageIsDroppedAndTheNextFindsIt() {
        byte[] data = Exchange.pattern(600, 3);
        wire.post(new WorkRequest.Receive(1, cold.segment(PAGE - 300, 600)));
        cold.evict(1);
        wire.peerSends(part(0, data, 0), part(1, data, 1), part(2, data, 2)).adapterIsSilent();
        wire.complete();
        assertEquals(1, wire.counted(Counter.DROPPED_PAGE_FAULT));
        assertEquals(1, wire.counted(Counter.DROPPED_REST_OF_MESSAGE));
        assertEquals(1, wire.adapter.faultsOpen());
        // Another one meanwhile: dropped as well, no second fault.
        wire.peerSends(part(3, data, 0), part(4, data, 1), part(5, data, 2)).complete();
        assertEquals(1, wire.adapter.faultsOpen());
        wire.advance(STORE_NS);
        wire.peerSends(part(6, data, 0), part(7, data, 1), part(8, data, 2)).adapterIsSilent();
        wire.completes(1, Operation.RECEIVE, Status.SUCCESS);
        assertArrayEquals(data, cold.bytesAt(PAGE - 300, 600));
        assertEquals(0, wire.adapter.faultsOpen());
    }

    @Test
    void aWriteToo() {
        WirePacket write = WirePacket.send(Opcode.UC_RDMA_WRITE_ONLY, 0, Exchange.pattern(8, 3))
                .to(cold.reth(PAGE, 8));
        cold.evict(1);
        wire.peerSends(write).advance(STORE_NS).peerSends(write.at(1)).adapterIsSilent();
        assertArrayEquals(Exchange.pattern(8, 3), cold.bytesAt(PAGE, 8));
        assertEquals(1, wire.counted(Counter.DROPPED_PAGE_FAULT));
    }

    @Test
    void whatLeavesWaits() {
        byte[] data = cold.fill(PAGE - 300, 600, 3);
        cold.evict(1);
        wire.post(new WorkRequest.Send(1, cold.segment(PAGE - 300, 600)));
        wire.adapterSends(part(0, data, 0));
        wire.complete();
        wire.advance(STORE_NS).adapterSends(part(1, data, 1), part(2, data, 2));
        wire.complete(1);
    }

    @Test
    void aLostPageFailsTheRequestAndStopsTheQueue() {
        cold.evict(1);
        cold.lose();
        wire.post(new WorkRequest.Send(1, cold.segment(PAGE, 8)), new WorkRequest.Send(2, cold.segment(0, 8)));
        wire.advance(STORE_NS).adapterIsSilent();
        assertEquals(
                List.of("1 LOCAL_PROTECTION_ERROR", "2 FLUSHED"),
                wire.completions().stream().map(c -> c.id() + " " + c.status()).toList());
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, wire.queuePair.state());
    }

    @Test
    void abortedItKeepsNothing() {
        cold.evict(1, 2);
        wire.post(new WorkRequest.Receive(1, cold.segment(PAGE, 8)));
        wire.post(new WorkRequest.Send(2, cold.segment(2 * PAGE, 8)));
        wire.peerSends(WirePacket.send(Opcode.UC_SEND_ONLY, 0, new byte[8]));
        assertEquals(2, wire.adapter.faultsOpen());
        wire.queuePair.abort();
        assertEquals(0, wire.adapter.faultsOpen());
        assertEquals(2, wire.completions().size());
    }
}
