package org.verbena.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;

/** The counters of one adapter. The engine's thread adds, any thread reads; adding costs no barrier. */
public final class Counters {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells = new long[Counter.values().length];

    /** All zero. */
    public Counters() {}

    /** Adds one. Engine's thread only. */
    public void add(Counter counter) {
        add(counter, 1);
    }

    /** Adds many. Engine's thread only. */
    public void add(Counter counter, long count) {
        int cell = counter.ordinal();
        CELL.setOpaque(cells, cell, cells[cell] + count);
    }

    /** What has been counted so far. Any thread. */
    public long value(Counter counter) {
        return (long) CELL.getOpaque(cells, counter.ordinal());
    }

    /** All counters that are not zero, in the order of {@link Counter}. */
    public Map<Counter, Long> snapshot() {
        var all = new EnumMap<Counter, Long>(Counter.class);
        for (Counter counter : Counter.values()) {
            long value = value(counter);
            if (value != 0) {
                all.put(counter, value);
            }
        }
        return all;
    }
}
