package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Atomic extended transport header (specification 9.3.4).
 *
 * @param address of the eight bytes in the remote memory
 * @param key that grants the access
 * @param swapOrAdd what to add, or what to store if the comparison holds
 * @param compare what a compare-and-swap expects; a fetch-and-add ignores it
 */
public record AtomicEth(long address, int key, long swapOrAdd, long compare) {
    /** Bytes on the wire. */
    public static final int LENGTH = 28;

    private static final int KEY = 8;
    private static final int SWAP_OR_ADD = 12;
    private static final int COMPARE = 20;

    /** Reads the header at {@code at}. */
    public static AtomicEth read(MemorySegment segment, long at) {
        return new AtomicEth(
                BigEndian.readLong(segment, at),
                BigEndian.readInt(segment, at + KEY),
                BigEndian.readLong(segment, at + SWAP_OR_ADD),
                BigEndian.readLong(segment, at + COMPARE));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeLong(segment, at, address);
        BigEndian.writeInt(segment, at + KEY, key);
        BigEndian.writeLong(segment, at + SWAP_OR_ADD, swapOrAdd);
        BigEndian.writeLong(segment, at + COMPARE, compare);
    }
}
