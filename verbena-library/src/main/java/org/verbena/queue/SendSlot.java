package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.Operation;

/**
 * Layout of one slot of a send ring, native byte order.
 *
 * <pre>
 *    0  8  id of the work request
 *    8  1  operation ({@link Operation#code})
 *    9  1  flags: 1 signalled, 2 fence, 4 solicited, 8 inline, 16 valid for one message, 32 a send that registers a key first
 *   10  2  number of segments (0 with inline data)
 *   12  4  immediate data | key to invalidate, bind or register
 *   16  8  remote address | address of a window | of a datagram: address handle (4), queue pair it is for (4)
 *   24  4  remote key | key of a window's region | Q_Key of a datagram
 *   28  4  bytes of the message, unsigned
 *   32  8  addend, or value compared with | length of a window
 *   40  8  value swapped in | rights of a window, {@code Right.mask}
 *   48  4  new key of a window that is bound | key that a send registers first
 *   52  4  segments that the consumer has counted as operations on their regions, bit 0 for the first
 *   56  8  zero
 *   64     segments of 16 bytes ({@link LocalSegments}), or the inline data itself
 * </pre>
 *
 * Each method writes or reads the field of its name; {@code slot} is the slot's offset in the ring's memory. Values that are
 * read are those of the moment: a consumer may overwrite them at any time, and none of them is out of its type's range.
 */
public final class SendSlot {
    /** Bytes before the segments or the inline data. */
    public static final int HEADER_LENGTH = 64;
    /** The request gets a completion when it succeeds. */
    public static final int FLAG_SIGNALLED = 1;
    /** The request begins after all earlier reads and atomics are done. */
    public static final int FLAG_FENCE = 2;
    /** The receiver's completion is a solicited one. */
    public static final int FLAG_SOLICITED = 4;
    /** The data stands in the slot. */
    public static final int FLAG_INLINE = 8;
    /** The window that is bound, or the key that is registered, is valid for one message. */
    public static final int FLAG_ONE_TOUCH = 16;
    /** A send registers a key, then sends its message. */
    public static final int FLAG_REGISTERS = 32;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private SendSlot() {}

    /** Bytes of a slot with room for {@code segmentsMax} segments or {@code inlineMax} inline bytes. */
    public static int length(int segmentsMax, int inlineMax) {
        return HEADER_LENGTH + ((Math.max(segmentsMax * LocalSegments.LENGTH, inlineMax) + 63) & ~63);
    }

    /** Bytes that a slot of this length has for segments or inline data. */
    public static int room(int slotLength) {
        return slotLength - HEADER_LENGTH;
    }

    /** Writes id, operation and flags; the number of segments becomes 0. */
    public static void begin(MemorySegment ring, long slot, long id, Operation operation, int flags) {
        ring.set(LONG, slot, id);
        ring.set(INT, slot + 8, Bytes.pack(operation.code(), flags, 0, 0));
    }

    public static void segments(MemorySegment ring, long slot, int count) {
        ring.set(ValueLayout.JAVA_SHORT, slot + 10, (short) count);
    }

    public static void argument(MemorySegment ring, long slot, int immediateOrKey) {
        ring.set(INT, slot + 12, immediateOrKey);
    }

    public static void remote(MemorySegment ring, long slot, long address, int key) {
        ring.set(LONG, slot + 16, address);
        ring.set(INT, slot + 24, key);
    }

    /** Writes the destination of a datagram: number of an address handle, and a queue pair there. */
    public static void destination(MemorySegment ring, long slot, int addressHandle, int queuePair, int qkey) {
        ring.set(INT, slot + 16, addressHandle);
        ring.set(INT, slot + 20, queuePair);
        ring.set(INT, slot + 24, qkey);
    }

    public static int addressHandle(MemorySegment ring, long slot) {
        return ring.get(INT, slot + 16);
    }

    public static int destinationQueuePair(MemorySegment ring, long slot) {
        return ring.get(INT, slot + 20);
    }

    public static void messageLength(MemorySegment ring, long slot, long bytes) {
        ring.set(INT, slot + 28, (int) bytes);
    }

    public static void operands(MemorySegment ring, long slot, long first, long second) {
        ring.set(LONG, slot + 32, first);
        ring.set(LONG, slot + 40, second);
    }

    public static void newKey(MemorySegment ring, long slot, int key) {
        ring.set(INT, slot + 48, key);
    }

    public static int newKey(MemorySegment ring, long slot) {
        return ring.get(INT, slot + 48);
    }

    /** Which segments were counted as operations on their regions: bit 0 for the first. */
    public static void counted(MemorySegment ring, long slot, int segments) {
        ring.set(INT, slot + 52, segments);
    }

    public static int counted(MemorySegment ring, long slot) {
        return ring.get(INT, slot + 52);
    }

    public static long id(MemorySegment ring, long slot) {
        return ring.get(LONG, slot);
    }

    public static Operation operation(MemorySegment ring, long slot) {
        return Operation.of(ring.get(ValueLayout.JAVA_BYTE, slot + 8));
    }

    public static int flags(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_BYTE, slot + 9);
    }

    public static boolean is(MemorySegment ring, long slot, int flag) {
        return (flags(ring, slot) & flag) != 0;
    }

    public static int segments(MemorySegment ring, long slot) {
        return Short.toUnsignedInt(ring.get(ValueLayout.JAVA_SHORT, slot + 10));
    }

    public static int argument(MemorySegment ring, long slot) {
        return ring.get(INT, slot + 12);
    }

    public static long remoteAddress(MemorySegment ring, long slot) {
        return ring.get(LONG, slot + 16);
    }

    public static int remoteKey(MemorySegment ring, long slot) {
        return ring.get(INT, slot + 24);
    }

    public static long messageLength(MemorySegment ring, long slot) {
        return Integer.toUnsignedLong(ring.get(INT, slot + 28));
    }

    public static long firstOperand(MemorySegment ring, long slot) {
        return ring.get(LONG, slot + 32);
    }

    public static long secondOperand(MemorySegment ring, long slot) {
        return ring.get(LONG, slot + 40);
    }
}
