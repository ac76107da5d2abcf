package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.verbena.QueuePairState;

/**
 * The first line of every ring and every doorbell: its layout, its kind and its sizes, and the state of a queue pair. All but
 * the state is written once, when the memory is made. A side that attaches to the memory checks it and keeps its own copy of
 * the sizes, because the other side may overwrite the header at any time.
 *
 * <pre>
 *    0  8  magic: the bytes "VRBNRING" on a little-endian machine; reversed by a machine of the other byte order
 *    8  4  version of the layout
 *   12  4  kind ({@link RingKind#code})
 *   16  4  capacity: slots of a ring, queue pairs of a doorbell
 *   20  4  bytes of a slot; 0 in a doorbell
 *   24  8  zero
 *   32  4  send ring: state of the queue pair ({@link QueuePairState#code}), written by the engine
 * </pre>
 *
 * @param capacity slots of a ring, queue pairs of a doorbell
 * @param slotLength bytes of a slot
 */
record RingHeader(int capacity, int slotLength) {
    /** Changes with every change of a layout of this package. */
    static final int VERSION = 2;

    static final long MAGIC = 0x474e_4952_4e42_5256L;

    /** Bytes of the line. Words that different sides write are this far apart. */
    static final int LINE = 128;

    static final long MAGIC_AT = 0;
    static final long VERSION_AT = 8;
    static final long KIND_AT = 12;
    static final long CAPACITY_AT = 16;
    static final long SLOT_LENGTH_AT = 20;
    static final long STATE_AT = 32;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /** Makes {@code words} bytes of memory zero and writes the header, the magic last. */
    static void write(MemorySegment memory, RingKind kind, int capacity, int slotLength, long words) {
        memory.asSlice(0, words).fill((byte) 0);
        INT.set(memory, VERSION_AT, VERSION);
        INT.set(memory, KIND_AT, kind.code());
        INT.set(memory, CAPACITY_AT, capacity);
        INT.set(memory, SLOT_LENGTH_AT, slotLength);
        LONG.setRelease(memory, MAGIC_AT, MAGIC);
    }

    /**
     * Reads the header of memory that another process may have made.
     *
     * @throws IllegalArgumentException if it is not one of this kind and version, with what was found
     */
    static RingHeader read(MemorySegment memory, RingKind kind) {
        requireUsable(memory, LINE);
        long magic = (long) LONG.getAcquire(memory, MAGIC_AT);
        if (magic != MAGIC) {
            throw new IllegalArgumentException("the memory holds no ring: it begins with " + hex(magic)
                    + (magic == Long.reverseBytes(MAGIC)
                            ? ", written by a machine of the other byte order"
                            : "; expected " + hex(MAGIC)));
        }
        require("layout version", VERSION, (int) INT.get(memory, VERSION_AT));
        require("kind", kind.code(), (int) INT.get(memory, KIND_AT));
        return new RingHeader((int) INT.get(memory, CAPACITY_AT), (int) INT.get(memory, SLOT_LENGTH_AT));
    }

    private static void require(String what, int expected, int found) {
        if (found != expected) {
            throw new IllegalArgumentException(
                    "the ring has " + what + " " + found + "; this side expects " + expected);
        }
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    /** Refuses memory that cannot hold shared words: on the heap, read-only, not aligned to 8, or too short. */
    static void requireUsable(MemorySegment memory, long bytes) {
        if (!memory.isNative() || memory.isReadOnly() || memory.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "a ring needs native memory that can be written, aligned to 8 bytes; found " + memory);
        }
        if (memory.byteSize() < bytes) {
            throw new IllegalArgumentException("the ring needs " + bytes + " bytes; found " + memory.byteSize());
        }
    }
}
