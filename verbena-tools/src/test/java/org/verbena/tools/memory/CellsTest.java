package org.verbena.tools.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Wrong contents are noticed; the report names the cell whose bytes are there. */
final class CellsTest {
    private final Cells cells = new Cells(MemoryPlan.of(1 << 20), 2, 1 << 20);
    private final MemorySegment copy = Arena.ofAuto().allocate(cells.size(), 8);

    @Test
    void theRightVersionIsRight() {
        cells.version(5, 3);
        cells.stamp(5, 3, copy, 0);
        assertNull(cells.judge(5, copy, 0));
    }

    @Test
    void anOlderVersionIsNamed() {
        cells.version(5, 3);
        cells.stamp(5, 2, copy, 0);
        expect(5, "byte 0 of cell 5", "of cell 5 version 2");
    }

    @Test
    void bytesOfAnotherCellAreNamed() {
        cells.version(5, 3);
        cells.version(9, 7);
        cells.stamp(5, 3, copy, 0);
        MemorySegment other = Arena.ofAuto().allocate(cells.size(), 8);
        cells.stamp(9, 7, other, 0);
        copy.asSlice(4096, 4096).copyFrom(other.asSlice(4096, 4096));
        expect(5, "byte 4096 of cell 5", "of cell 9 version 7");
    }

    @Test
    void zerosAndOneWrongByteAreNoticed() {
        cells.version(5, 3);
        expect(5, "byte 0", "but zero");
        cells.stamp(5, 3, copy, 0);
        byte last = copy.get(ValueLayout.JAVA_BYTE, cells.size() - 1);
        copy.set(ValueLayout.JAVA_BYTE, cells.size() - 1, (byte) (last + 1));
        expect(5, "byte 9992 of cell 5", "nothing known");
    }

    @Test
    void countersCount() {
        assertTrue(cells.isCounter(8));
        cells.version(8, 2);
        cells.stamp(8, 2, copy, 0);
        assertNull(cells.judge(8, copy, 0));
        cells.stamp(8, 1, copy, 0);
        expect(8, "counts 1", "2 expected");
    }

    @Test
    void aCellIsTakenOnceAtATime() {
        int last = cells.count() - 1;
        assertEquals(last, cells.take(last));
        assertEquals(0, cells.take(last));
        assertNotEquals(0, cells.take(0));
        cells.give(0);
        assertEquals(0, cells.take(0));
    }

    @Test
    void cellsLieWithinTheirArea() {
        int first = cells.areaEnd(0);
        assertEquals(0, cells.offset(first));
        assertEquals(1, cells.area(first));
        assertEquals(0, cells.area(first - 1));
        assertTrue(cells.offset(first - 1) + cells.size() <= 1 << 20);
    }

    private void expect(int cell, String where, String what) {
        String wrong = String.valueOf(cells.judge(cell, copy, 0));
        assertTrue(wrong.contains(where) && wrong.contains(what), wrong);
    }
}
