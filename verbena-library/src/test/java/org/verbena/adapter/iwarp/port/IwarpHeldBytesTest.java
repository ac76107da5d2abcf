package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.verbena.adapter.iwarp.port.IwarpStand.CHECKED;
import static org.verbena.adapter.iwarp.port.IwarpStand.PLAIN;
import static org.verbena.adapter.iwarp.port.IwarpStand.agreement;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.link.stream.MemoryStream;
import org.verbena.verbs.Payload;
import org.verbena.verbs.WorkRequest;

/** Bytes of a queue pair that has more to send wait for a few turns, so that the system takes many at once. */
final class IwarpHeldBytesTest {
    private static final int MESSAGE = 300_000;
    private static final int PACKET = 1448;

    private final IwarpStand stand = new IwarpStand(options -> options.withCapacity(1024, 16));
    private final ByteBuffer arrived = ByteBuffer.allocateDirect(8 << 20);

    /** Bytes that the peer gets in each turn, until nothing is left to do. */
    private List<Integer> turns(MemoryStream peer) {
        List<Integer> counts = new ArrayList<>();
        int idle = 0;
        while (idle < 2) {
            int done = stand.a.adapter.work(stand.clock.nowNs());
            int count = Math.max(0, peer.read(arrived.clear()));
            counts.add(count);
            idle = done == 0 && count == 0 ? idle + 1 : 0;
            assertTrue(counts.size() < 10_000, "the bytes do not end");
        }
        return counts;
    }

    private MemoryStream connect() {
        MemoryStream[] ends = MemoryStream.pair(8 << 20, PACKET, stand.seed, 0);
        stand.a.connect(ends[0], agreement(CHECKED), true);
        return ends[1];
    }

    private void write(int messages, int length) {
        for (int i = 0; i < messages; i++) {
            stand.a.post(new WorkRequest.Write(i, Payload.of(stand.a.at(0, length)), stand.b.remote(0), PLAIN));
        }
    }

    private void drain() {
        while (stand.a.completions.poll() != null) {
            // The completions are of no interest; their queue must not be full.
        }
    }

    @Test
    void aLongTransferIsGivenToTheSystemInLargePieces() {
        MemoryStream peer = connect();
        write(30, MESSAGE);
        List<Integer> counts = turns(peer);
        long total = counts.stream().mapToLong(Integer::longValue).sum();
        assertTrue(total > 30L * MESSAGE, total + " bytes");
        assertTrue(counts.getFirst() > 0, "the first bytes do not wait");
        int most = counts.stream().mapToInt(Integer::intValue).max().orElseThrow();
        assertTrue(most > 1 << 19 && most < 1 << 20, most + " bytes at once");
        long pieces = counts.stream().filter(count -> count > 0).count();
        assertTrue(pieces <= 4 + total / (1 << 19), pieces + " pieces of " + total + " bytes");
    }

    @Test
    void theLastBytesDoNotWait() {
        MemoryStream peer = connect();
        for (int round = 0; round < 20; round++) {
            write(1, 1000);
            assertEquals(1, turns(peer).stream().filter(count -> count > 0).count());
        }
        write(3, MESSAGE);
        turns(peer);
        assertEquals(0, stand.a.port.buffersTaken());
        write(1, 1000);
        assertTrue(turns(peer).getFirst() > 0, "the next busy time begins as the first");
    }

    /** Segments of no data cost effort and few bytes: the number of turns ends the wait. */
    @Test
    void bytesWaitForAFewTurnsOnly() {
        MemoryStream peer = connect();
        List<Integer> counts = new ArrayList<>();
        int posted = 0;
        for (int turn = 0; turn < 60; turn++) {
            while (posted < 200 + turn * 140) { // more is there to send in every turn
                stand.a.post(new WorkRequest.Write(posted++, Payload.of(stand.a.at(0, 1)), stand.b.remote(0), PLAIN));
            }
            stand.a.work();
            counts.add(Math.max(0, peer.read(arrived.clear())));
            drain();
        }
        int silent = 0;
        for (int count : counts) {
            silent = count == 0 ? silent + 1 : 0;
            assertTrue(silent <= IwarpPort.HELD_TURNS_MAX, counts.toString());
        }
        assertTrue(counts.contains(0), "some bytes wait: " + counts);
    }
}
