package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Atomic extended transport header (specification 9.3.4).
 *
 * @param address of the eight bytes in the remote memory
 * @param key that grants the access
 * @param swapOrAdd value to add, or value to store if the comparison holds
 * @param compare value that a compare-and-swap expects; a fetch-and-add ignores it
 */
public record AtomicEth(long address, int key, long swapOrAdd, long compare) {
    /** Bytes on the wire. */
    public static final int LENGTH = 28;

    private static final int KEY = 8;
    private static final int SWAP_OR_ADD = 12;
    private static final int COMPARE = 20;

    /** Reads the header at {@code at}. */
    public static AtomicEth read(MemorySegment segment, long at) {
        return new AtomicEth(address(segment, at), key(segment, at), swapOrAdd(segment, at), compare(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, address, key);
        writeOperands(segment, at, swapOrAdd, compare);
    }

    /** Writes the target of a header at {@code at} from its fields, without an object. */
    public static void write(MemorySegment segment, long at, long address, int key) {
        BigEndian.writeLong(segment, at, address);
        BigEndian.writeInt(segment, at + KEY, key);
    }

    /** Writes the operands of a header at {@code at}. */
    public static void writeOperands(MemorySegment segment, long at, long swapOrAdd, long compare) {
        BigEndian.writeLong(segment, at + SWAP_OR_ADD, swapOrAdd);
        BigEndian.writeLong(segment, at + COMPARE, compare);
    }

    /** The remote address. */
    public static long address(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at);
    }

    /** The key that grants the access. */
    public static int key(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + KEY);
    }

    /** Value to add, or value to store if the comparison holds. */
    public static long swapOrAdd(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + SWAP_OR_ADD);
    }

    /** Value that a compare-and-swap expects. */
    public static long compare(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + COMPARE);
    }
}
