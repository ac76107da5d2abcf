package org.verbena.adapter.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.LocalSegments;
import org.verbena.time.Seed;

/** Bytes of a message by their offset, whatever the pieces and whatever the order of asking. */
final class SegmentListTest {
    private static final int[] LENGTHS = {0, 1, 7, 0, 0, 100, 3, 0, 64, 1, 0};

    private final ProtectionTable table = new ProtectionTable(16, new Seed(1));
    private final ProtectionDomain domain = table.createDomain();
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 8);
    private final Region region = table.register(domain, memory, EnumSet.allOf(Right.class));
    private final Accessor reader = Accessor.local(domain, 2, Right.LOCAL_READ);
    private final Accessor writer = Accessor.local(domain, 2, Right.LOCAL_WRITE);
    private final MemorySegment ring = Arena.ofAuto().allocate(1024, 8);
    private final MemorySegment packet = Arena.ofAuto().allocate(512, 8);
    private final SegmentList list = SegmentList.within(32 * LocalSegments.LENGTH);

    /** Pieces that lie 200 bytes apart; returns the message they make. */
    private byte[] load() {
        byte[] message = new byte[176];
        int at = 0;
        for (int i = 0; i < LENGTHS.length; i++) {
            LocalSegments.write(ring, i * 16L, region.address() + i * 200L, LENGTHS[i], region.key());
            for (int j = 0; j < LENGTHS[i]; j++, at++) {
                message[at] = (byte) (at * 3 + 1);
                memory.set(ValueLayout.JAVA_BYTE, i * 200L + j, message[at]);
            }
        }
        assertEquals(176, at);
        list.load(ring, 0, LENGTHS.length);
        assertEquals(176, list.total());
        return message;
    }

    @Test
    void everyRangeIsGatheredForwardsAndBackwards() {
        MemorySegment message = MemorySegment.ofArray(load());
        for (int length : new int[] {0, 1, 2, 10, 101, 176}) {
            for (int i = 0; i <= 176 - length; i++) {
                gathers(message, i, length);
            }
            for (int i = 176 - length; i >= 0; i--) {
                gathers(message, i, length);
            }
        }
    }

    private void gathers(MemorySegment message, int offset, int length) {
        assertEquals(Verdict.GRANTED, list.gather(table, reader, offset, packet, 5, length));
        assertEquals(-1, packet.asSlice(5, length).mismatch(message.asSlice(offset, length)));
    }

    @Test
    void placingPutsBytesWhereGatheringFindsThem() {
        MemorySegment message = MemorySegment.ofArray(load());
        memory.fill((byte) 0);
        for (int at = 0; at < 176; at += 11) {
            assertEquals(Verdict.GRANTED, list.place(table, writer, at, message, at, 11));
        }
        gathers(message, 0, 176);
    }

    @Test
    void theFirstPieceThatIsRefusedIsTheAnswer() {
        load();
        LocalSegments.write(ring, 16, region.address() + 4095, 2, region.key());
        LocalSegments.write(ring, 32, region.address(), 7, 0x7700);
        list.load(ring, 0, 3);
        assertEquals(Verdict.OUT_OF_BOUNDS, list.judge(table, reader));
        assertEquals(Verdict.OUT_OF_BOUNDS, list.gather(table, reader, 0, packet, 0, 9));
    }

    @Test
    void aCountTheRingCannotHoldIsCut() {
        list.load(ring, 0, 10_000);
        assertEquals(0, list.total());
        list.load(ring, 0, 0);
        assertEquals(Verdict.GRANTED, list.judge(table, reader));
    }
}
