package org.verbena.services.push;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Buffers for data that are sent: one set for any number of service connections of one messaging layer, so that one copy of the data goes to many peers. A
 * buffer has holds; it is free when the last one is released. Used by the thread of the messaging layer.
 */
public final class SendBuffers {
    /** Bytes in front of the data in each buffer, for the messaging layer. */
    static final int HEADROOM = 64;

    private final List<PoolShape> shapes;
    private final MemorySegment memory;
    private final long[] offsets;
    private final int[] rooms;
    private final int[] holds;
    private final int[][] free;
    private final int[] freeCounts;

    /**
     * Makes buffers.
     *
     * @param arena owns their memory, is accessible by every thread, and is closed after the messaging layer
     * @param shapes sizes and numbers, the smallest size first
     * @throws IllegalArgumentException if the sizes are not in this order
     */
    public SendBuffers(Arena arena, PoolShape... shapes) {
        this.shapes = List.of(shapes);
        int count = 0;
        long bytes = 0;
        int last = 0;
        for (PoolShape shape : shapes) {
            if (shape.elementBytes() <= last) {
                throw new IllegalArgumentException("sizes in ascending order expected; found " + this.shapes);
            }
            last = shape.elementBytes();
            count += shape.elements();
            bytes += shape.elements() * stride(shape);
        }
        memory = arena.allocate(bytes, 64);
        offsets = new long[count];
        rooms = new int[count];
        holds = new int[count];
        free = new int[shapes.length][];
        freeCounts = new int[shapes.length];
        fill();
    }

    private static long stride(PoolShape shape) {
        return (HEADROOM + shape.elementBytes() + 63L) & -64;
    }

    private void fill() {
        int slot = 0;
        long offset = 0;
        for (int i = 0; i < free.length; i++) {
            PoolShape shape = shapes.get(i);
            free[i] = new int[shape.elements()];
            for (int j = 0; j < shape.elements(); j++, slot++, offset += stride(shape)) {
                offsets[slot] = offset + HEADROOM;
                rooms[slot] = shape.elementBytes();
                free[i][shape.elements() - 1 - j] = slot;
            }
            freeCounts[i] = shape.elements();
        }
    }

    /**
     * Takes the smallest free buffer that has room, with one hold.
     *
     * @return its number; −1 if there is none
     */
    public int take(int bytes) {
        for (int i = 0; i < free.length; i++) {
            if (shapes.get(i).elementBytes() >= bytes && freeCounts[i] > 0) {
                int slot = free[i][--freeCounts[i]];
                holds[slot] = 1;
                return slot;
            }
        }
        return -1;
    }

    /** Adds a hold to a buffer that has one. */
    public void hold(int slot) {
        assert holds[slot] > 0 : slot;
        holds[slot]++;
    }

    /** Takes a hold from a buffer. The buffer is free when it has none left. */
    public void release(int slot) {
        assert holds[slot] > 0 : slot;
        if (--holds[slot] == 0) {
            int kind = kindOf(slot);
            free[kind][freeCounts[kind]++] = slot;
        }
    }

    private int kindOf(int slot) {
        int first = 0;
        for (int i = 0; i < free.length - 1; i++) {
            first += free[i].length;
            if (slot < first) {
                return i;
            }
        }
        return free.length - 1;
    }

    /** The memory of all buffers. */
    public MemorySegment memory() {
        return memory;
    }

    /** Offset of the first byte of a buffer in the memory. */
    public long offset(int slot) {
        return offsets[slot];
    }

    /** Bytes that a buffer has room for. */
    public int room(int slot) {
        return rooms[slot];
    }

    /** Bytes of the largest buffer. */
    public int roomMax() {
        return shapes.getLast().elementBytes();
    }

    /** Buffers that are free now. */
    public int freeCount() {
        return Arrays.stream(freeCounts).sum();
    }

    /** Buffers in all. */
    public int count() {
        return offsets.length;
    }
}
