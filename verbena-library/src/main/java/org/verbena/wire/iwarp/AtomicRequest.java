package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Request for an atomic operation on eight bytes (RFC 7306, 5.2.1). Values are big endian on the wire.
 *
 * @param kind code of the {@link AtomicKind}; any 4 bits
 * @param identifier that the answer repeats
 * @param stag key of the responder's memory
 * @param offset in it
 * @param swapOrAdd value to add, or to store
 * @param swapOrAddMask of a swap: the bits that are stored. Of an addition: the highest bits of the fields that are added apart
 * @param compare value that a compare-and-swap expects
 * @param compareMask the bits that are compared
 */
public record AtomicRequest(
        int kind,
        int identifier,
        int stag,
        long offset,
        long swapOrAdd,
        long swapOrAddMask,
        long compare,
        long compareMask) {
    /** Bytes on the wire. */
    public static final int LENGTH = 52;

    private static final int KIND_MASK = 0xf;
    private static final int IDENTIFIER = 4;
    private static final int STAG = 8;
    private static final int OFFSET = 12;
    private static final int SWAP_OR_ADD = 20;
    private static final int SWAP_OR_ADD_MASK = 28;
    private static final int COMPARE = 36;
    private static final int COMPARE_MASK = 44;

    /** Reads the header at {@code at}. */
    public static AtomicRequest read(MemorySegment segment, long at) {
        return new AtomicRequest(
                kind(segment, at),
                identifier(segment, at),
                stag(segment, at),
                offset(segment, at),
                swapOrAdd(segment, at),
                swapOrAddMask(segment, at),
                compare(segment, at),
                compareMask(segment, at));
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, kind, identifier, stag, offset);
        writeOperands(segment, at, swapOrAdd, swapOrAddMask, compare, compareMask);
    }

    /** Writes operation and target of a header at {@code at} from its fields, without an object. */
    public static void write(MemorySegment segment, long at, int kind, int identifier, int stag, long offset) {
        BigEndian.writeInt(segment, at, kind & KIND_MASK);
        BigEndian.writeInt(segment, at + IDENTIFIER, identifier);
        BigEndian.writeInt(segment, at + STAG, stag);
        BigEndian.writeLong(segment, at + OFFSET, offset);
    }

    /** Writes the operands of a header at {@code at}. */
    public static void writeOperands(
            MemorySegment segment, long at, long swapOrAdd, long swapOrAddMask, long compare, long compareMask) {
        BigEndian.writeLong(segment, at + SWAP_OR_ADD, swapOrAdd);
        BigEndian.writeLong(segment, at + SWAP_OR_ADD_MASK, swapOrAddMask);
        BigEndian.writeLong(segment, at + COMPARE, compare);
        BigEndian.writeLong(segment, at + COMPARE_MASK, compareMask);
    }

    /** Code of the operation, 0 … 15. */
    public static int kind(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at) & KIND_MASK;
    }

    /** The number that the answer repeats. */
    public static int identifier(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + IDENTIFIER);
    }

    /** Key of the responder's memory. */
    public static int stag(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + STAG);
    }

    /** Where the eight bytes are. */
    public static long offset(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + OFFSET);
    }

    /** Value to add, or to store. */
    public static long swapOrAdd(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + SWAP_OR_ADD);
    }

    /** Its mask. */
    public static long swapOrAddMask(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + SWAP_OR_ADD_MASK);
    }

    /** Value that a compare-and-swap expects. */
    public static long compare(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + COMPARE);
    }

    /** The bits that are compared. */
    public static long compareMask(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + COMPARE_MASK);
    }
}
