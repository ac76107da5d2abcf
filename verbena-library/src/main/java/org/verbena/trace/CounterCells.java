package org.verbena.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters by index. One thread adds, any thread reads. Adding costs no barrier and no atomic instruction; a value read is exact as
 * of a moment shortly before, and values of several cells need not be of the same moment.
 *
 * <p>A subclass gives the cells names. It inherits the cells, so that a counter is one load away.
 */
public abstract class CounterCells {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells;

    /** All zero. */
    protected CounterCells(int count) {
        this.cells = new long[count];
    }

    /** Adds to one cell. The writing thread only. */
    protected final void add(int cell, long amount) {
        CELL.setOpaque(cells, cell, cells[cell] + amount);
    }

    /** The present value of a cell. Any thread. */
    protected final long value(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }
}
