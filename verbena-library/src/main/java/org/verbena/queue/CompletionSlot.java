package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.Operation;
import org.verbena.Status;

/**
 * Layout of one slot of a completion ring, native byte order.
 *
 * <pre>
 *    0  8  id of the work request
 *    8  4  number of the queue pair
 *   12  1  status ({@link Status#code})
 *   13  1  operation ({@link Operation#code})
 *   14  1  flags: 1 immediate data, 2 a key was invalidated, 4 solicited, 8 a datagram: its network header stands first
 *          in the receive, and the sending queue pair is known
 *   15  1  detail: why local memory was refused ({@code Verdict.code}), else 0
 *   16  4  bytes received or read, unsigned
 *   20  4  immediate data | key invalidated
 *   24  4  number of the queue pair that sent a datagram
 *   28  4  zero
 * </pre>
 *
 * Each method reads the field of its name; {@code slot} is the slot's offset in the memory.
 */
public final class CompletionSlot {
    /** Bytes of a slot. */
    public static final int LENGTH = 32;
    /** The argument is immediate data. */
    public static final int FLAG_IMMEDIATE = 1;
    /** The argument is a key that the peer has invalidated. */
    public static final int FLAG_INVALIDATED = 2;
    /** The sender asked for the receiver's attention. */
    public static final int FLAG_SOLICITED = 4;
    /** A datagram: its network header stands first in the receive, and the sending queue pair is known. */
    public static final int FLAG_DATAGRAM = 8;

    private CompletionSlot() {}

    public static long id(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_LONG, slot);
    }

    public static int queuePair(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_INT, slot + 8);
    }

    public static Status status(MemorySegment ring, long slot) {
        return Status.of(ring.get(ValueLayout.JAVA_BYTE, slot + 12));
    }

    public static Operation operation(MemorySegment ring, long slot) {
        return Operation.of(ring.get(ValueLayout.JAVA_BYTE, slot + 13));
    }

    public static int flags(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_BYTE, slot + 14);
    }

    public static int detail(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_BYTE, slot + 15);
    }

    public static long byteLength(MemorySegment ring, long slot) {
        return Integer.toUnsignedLong(ring.get(ValueLayout.JAVA_INT, slot + 16));
    }

    public static int argument(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_INT, slot + 20);
    }

    public static int sourceQueuePair(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_INT, slot + 24);
    }

    static void write(MemorySegment ring, long slot, CompletionEntry entry) {
        ring.set(ValueLayout.JAVA_LONG, slot, entry.id);
        ring.set(ValueLayout.JAVA_INT, slot + 8, entry.queuePair);
        ring.set(
                ValueLayout.JAVA_INT,
                slot + 12,
                Bytes.pack(entry.status.code(), entry.operation.code(), entry.flags, entry.detail));
        ring.set(ValueLayout.JAVA_INT, slot + 16, (int) entry.byteLength);
        ring.set(ValueLayout.JAVA_INT, slot + 20, entry.argument);
        ring.set(ValueLayout.JAVA_INT, slot + 24, entry.sourceQueuePair);
    }
}
