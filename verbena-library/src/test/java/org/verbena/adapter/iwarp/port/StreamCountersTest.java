package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.verbena.link.stream.StreamFailure;
import org.verbena.trace.MetricRegistry;
import org.verbena.trace.MetricScope;
import org.verbena.trace.MetricSnapshot;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.PlainFraming;
import org.verbena.wire.iwarp.RdmapOpcode;

/** What the counters of streams say of the traffic. */
final class StreamCountersTest {
    private static final String GROUP = "streams";
    /** A send of 100 bytes: length, header, data, padding and check sum. */
    private static final int SEND_UNIT = 2 + 18 + 100 + 4;

    private static MetricSnapshot read(IwarpStand.End end) {
        return read(end.port.counters());
    }

    static MetricSnapshot read(StreamCounters counters) {
        MetricRegistry registry = new MetricRegistry();
        try (MetricScope scope = registry.scope("adapter", "one")) {
            scope.register(StreamCounters.METRICS, counters);
            return registry.snapshot();
        }
    }

    private static void expect(long value, String name, IwarpStand.End end) {
        assertEquals(value, read(end).total(GROUP, name), name);
    }

    @Test
    void unitsAndBytesAreCountedAtBothEnds() {
        IwarpStand stand = new IwarpStand();
        stand.connect();
        for (int i = 0; i < 3; i++) {
            stand.b.receive(i, 0, 100);
            stand.a.post(new WorkRequest.Send(i, Payload.of(stand.a.at(0, 100)), IwarpStand.PLAIN));
        }
        stand.run();
        expect(3, "sent_units", stand.a);
        expect(3L * SEND_UNIT, "sent_bytes", stand.a);
        expect(3, "rcvd_units", stand.b);
        expect(3L * SEND_UNIT, "rcvd_bytes", stand.b);
        expect(0, "sent_units", stand.b);
        expect(1, "open", stand.a);
        expect(0, "buffers", stand.a);
        stand.a.queuePair.close();
        stand.b.queuePair.close();
        stand.run();
        expect(0, "open", stand.a);
        expect(0, "open", stand.b);
    }

    @Test
    void terminateMessagesAreCountedByTheirCode() {
        IwarpStand stand = new IwarpStand();
        stand.connect();
        stand.a.post(
                new WorkRequest.Write(1, Payload.of(stand.a.at(0, 4)), new RemoteMemory(0, 0xbad00), IwarpStand.PLAIN));
        stand.run();
        assertEquals(1, read(stand.b).with("code", "ddp_invalid_stag").total(GROUP, "sent_terminates"));
        assertEquals(1, read(stand.a).with("code", "ddp_invalid_stag").total(GROUP, "rcvd_terminates"));
        expect(1, "sent_terminates", stand.b);
        expect(1, "rcvd_terminates", stand.a);
        expect(0, "sent_terminates", stand.a);
    }

    @Test
    void aWrongCheckSumIsCounted() {
        IwarpStand stand = new IwarpStand();
        IwarpStand.Peer peer = stand.alone();
        PlainFraming framing = new PlainFraming(false, true);
        framing.add(IwarpMessages.send(RdmapOpcode.SEND, true, 0, 1, 0, 8));
        byte[] bytes = framing.bytes();
        bytes[25] ^= 1;
        peer.stream.write(ByteBuffer.wrap(bytes));
        stand.turns(peer);
        expect(1, "crc_errors", stand.a);
        expect(0, "marker_errors", stand.a);
        assertEquals(1, read(stand.a).with("code", "mpa_crc").total(GROUP, "sent_terminates"));
    }

    @Test
    void aStreamWithAPieceOfAUnitHasABuffer() {
        IwarpStand stand = new IwarpStand();
        IwarpStand.Peer peer = stand.alone();
        peer.stream.write(ByteBuffer.wrap(new byte[] {0}));
        stand.turns(peer);
        expect(1, "buffers", stand.a);
        peer.stream.close();
        stand.turns(peer);
        expect(0, "buffers", stand.a);
    }

    @Test
    void eachEndOfANegotiationIsCounted() {
        StreamCounters counters = new StreamCounters();
        counters.onAgreed();
        counters.onRejected();
        counters.onFailed(StreamFailure.TIMED_OUT);
        counters.onFailed(StreamFailure.ENDED);
        counters.onFailed(StreamFailure.ENDED);
        counters.onFailed(StreamFailure.PROTOCOL);
        MetricSnapshot seen = read(counters);
        assertEquals(1, seen.with("outcome", "agreed").total(GROUP, "negotiations"));
        assertEquals(1, seen.with("outcome", "rejected").total(GROUP, "negotiations"));
        assertEquals(1, seen.with("outcome", "timed_out").total(GROUP, "negotiations"));
        assertEquals(3, seen.with("outcome", "failed").total(GROUP, "negotiations"));
    }
}
