package org.verbena.services.push.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

/** Elements that are collected in an update stand in it, in order, and the builder says when no more fit. */
final class UpdateBuilderTest {
    private static final int VERSION = 1;

    private record Returned(int reference, int element) {}

    private final UpdateBuilder builder = new UpdateBuilder();

    private static List<Returned> read(MemorySegment segment, long at, int length) {
        assertNull(Messages.judge(segment, at, length, VERSION));
        List<Returned> found = new ArrayList<>();
        for (long part = BufferRecvPoolUpdate.firstPart(at);
                part < at + length;
                part = BufferRecvPoolUpdate.nextPart(segment, part)) {
            for (int i = 0; i < BufferRecvPoolUpdate.count(segment, part); i++) {
                found.add(new Returned(
                        BufferRecvPoolUpdate.reference(segment, part), BufferRecvPoolUpdate.element(segment, part, i)));
            }
        }
        return found;
    }

    @Test
    void aBuilderWithoutMemoryIsFull() {
        assertTrue(builder.isFull());
        assertFalse(builder.add(1, 1));
        assertEquals(0, builder.elements());
    }

    @Test
    void noRoomForOneElementIsTheCallersMistake() {
        MemorySegment memory = MemorySegment.ofArray(new byte[24]);
        var thrown = assertThrows(IllegalArgumentException.class, () -> builder.begin(memory, 0, 23, VERSION, 0));
        assertEquals("room for 24 bytes expected; found 23", thrown.getMessage());
        builder.begin(memory, 0, 24, VERSION, 0);
        assertFalse(builder.isFull());
        assertTrue(builder.add(0, 0));
        assertFalse(builder.add(0, 1));
    }

    @Test
    void elementsOfOnePoolShareAPart() {
        MemorySegment memory = MemorySegment.ofArray(new byte[100]);
        builder.begin(memory, 0, 100, VERSION, 9);
        assertTrue(builder.add(7, 5) && builder.add(7, 6) && builder.add(8, 0) && builder.add(7, 1));
        assertEquals(12 + 8 + 8 + 8 + 4 + 8 + 4, builder.length());
        assertEquals(4, builder.elements());
        assertEquals(
                List.of(new Returned(7, 5), new Returned(7, 6), new Returned(8, 0), new Returned(7, 1)),
                read(memory, 0, builder.length()));
        assertEquals(9, MessageHeader.context(memory, 0));
    }

    @Test
    void everyMessageHoldsWhatWasAddedUntilItWasFull() {
        Seed seed = new Seed(7);
        for (int round = 0; round < 5_000; round++) {
            int offset = seed.nextInt(20);
            int room = 24 + seed.nextInt(200);
            byte[] bytes = new byte[offset + room]; // exact: a byte behind it would throw
            MemorySegment memory = MemorySegment.ofArray(bytes);
            builder.begin(memory, offset, room, VERSION, round);
            assertEquals(0, builder.elements());
            List<Returned> added = new ArrayList<>();
            boolean more = true;
            while (more) {
                Returned next = new Returned(seed.nextInt(3), seed.nextInt());
                int length = builder.length();
                boolean full = builder.isFull();
                byte[] before = bytes.clone();
                more = builder.add(next.reference(), next.element());
                if (more) {
                    added.add(next);
                } else {
                    assertTrue(full, "refused although it was not full");
                    assertEquals(length, builder.length());
                    assertArrayEquals(before, bytes);
                }
            }
            assertEquals(added.size(), builder.elements());
            assertEquals(added, read(memory, offset, builder.length()));
        }
    }
}
