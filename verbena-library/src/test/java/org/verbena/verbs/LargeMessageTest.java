package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.Region;

/** Messages of very many packets, and of very many pieces. */
@OverEachWire
final class LargeMessageTest {
    private static final long MIB = 1L << 20;

    private final Wire wire;

    LargeMessageTest(Wire wire) {
        this.wire = wire;
    }

    private static void fill(MemorySegment memory, long salt) {
        for (long at = 0; at < memory.byteSize(); at += 8) {
            memory.set(ValueLayout.JAVA_LONG, at, (at + salt) * 0x9e37_79b9_7f4a_7c15L);
        }
    }

    /** The source is 32 times the same 32 MiB, so that only the target needs all of the memory. */
    @Test
    void aWriteOfOneGibibyte() {
        try (Arena arena = Arena.ofShared();
                var pair = new Pair(wire, 4096, 16, ConnectionOptions.DEFAULT)) {
            MemorySegment source = arena.allocate(32 * MIB, 4096);
            MemorySegment target = arena.allocate(1024 * MIB, 4096);
            fill(source, 1);
            Region from = pair.a.adapter.register(pair.a.domain, source, EnumSet.of(Right.LOCAL_WRITE));
            Region to =
                    pair.b.adapter.register(pair.b.domain, target, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
            var pieces = new Payload.Gathered(Collections.nCopies(32, LocalSegment.of(from)));
            pair.a.queuePair.post(new WorkRequest.Write(1, pieces, RemoteMemory.of(to), SendOptions.SIGNALLED));
            pair.run();
            Completion completion = pair.a.drain().getFirst();
            assertEquals(Status.SUCCESS, completion.status());
            assertEquals(1024 * MIB, completion.byteLength());
            for (int i = 0; i < 32; i++) {
                assertEquals(-1, target.asSlice(32L * MIB * i, 32 * MIB).mismatch(source), "piece " + i);
            }
            from.close();
            to.close();
        }
    }

    @Test
    void listsOf32SegmentsAcrossRegionsOnBothSides() {
        try (var pair = new Pair(wire, 1 << 20, 16, ConnectionOptions.DEFAULT)) {
            MemorySegment otherA = Arena.ofAuto().allocate(1 << 20, 4096);
            MemorySegment otherB = Arena.ofAuto().allocate(1 << 20, 4096);
            Region regionA = pair.a.adapter.register(pair.a.domain, otherA, EnumSet.allOf(Right.class));
            Region regionB = pair.b.adapter.register(pair.b.domain, otherB, EnumSet.allOf(Right.class));
            fill(pair.a.memory, 2);
            fill(otherA, 3);
            List<LocalSegment> from = new ArrayList<>();
            List<LocalSegment> into = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                from.add(LocalSegment.of(i % 2 == 0 ? pair.a.region : regionA, i * 20_000L, 1000 + i * 333L));
                into.add(LocalSegment.of(i % 3 == 0 ? pair.b.region : regionB, i * 20_000L, 900 + (31 - i) * 349L));
            }
            long length = from.stream().mapToLong(LocalSegment::length).sum();
            assertTrue(into.stream().mapToLong(LocalSegment::length).sum() >= length);
            pair.b.queuePair.post(new WorkRequest.Receive(1, into));
            pair.a.queuePair.post(new WorkRequest.Send(2, new Payload.Gathered(from), SendOptions.SIGNALLED));
            pair.run();
            assertEquals(length, pair.b.drain().getFirst().byteLength());
            byte[] sent = flat(from, pair.a, otherA, regionA, length);
            byte[] received = flat(into, pair.b, otherB, regionB, length);
            assertEquals(-1, MemorySegment.ofArray(sent).mismatch(MemorySegment.ofArray(received)));
        }
    }

    private static byte[] flat(List<LocalSegment> list, Node node, MemorySegment other, Region region, long length) {
        byte[] all = new byte[(int) length];
        int at = 0;
        for (LocalSegment segment : list) {
            MemorySegment memory = segment.key() == region.key() ? other : node.memory;
            int part = (int) Math.min(segment.length(), length - at);
            long offset = segment.address() - memory.address();
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, all, at, part);
            at += part;
        }
        return all;
    }
}
