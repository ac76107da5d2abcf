package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;
import org.verbena.wire.mad.Mad;

/** A subnet management packet: header, keys and route of both its classes (specification 14.2.1). The fields read and write in place. */
public final class Smp {
    /** Class of packets that local identifiers route. */
    public static final int CLASS_LID_ROUTED = 0x01;
    /** Class of packets that carry their route. */
    public static final int CLASS_DIRECTED = 0x81;
    /** The version of both classes. */
    public static final int VERSION = 1;
    /** The queue pair of subnet management, at every port. */
    public static final int QUEUE_PAIR = 0;
    /** A local identifier in a directed packet: this end of the route has no part by local identifiers. */
    public static final int PERMISSIVE_LID = 0xffff;
    /** Most hops of a directed route. */
    public static final int HOPS_MAX = 63;

    /** Asks for an attribute. */
    public static final int METHOD_GET = 0x01;
    /** Writes an attribute. */
    public static final int METHOD_SET = 0x02;
    /** Tells the subnet manager of an event; no answer. */
    public static final int METHOD_TRAP = 0x05;
    /** The subnet manager has seen a trap; no answer. */
    public static final int METHOD_TRAP_REPRESS = 0x07;
    /** Answers a Get and a Set. */
    public static final int METHOD_RESPONSE = 0x81;
    /** The bit that all methods of answers have. */
    public static final int RESPONSE_BIT = 0x80;

    /** The request was followed. */
    public static final int STATUS_GOOD = 0;
    /** The class or its version is unknown. */
    public static final int STATUS_BAD_VERSION = 0x0004;
    /** The class has no such method. */
    public static final int STATUS_BAD_METHOD = 0x0008;
    /** The attribute is unknown, or has no such method. */
    public static final int STATUS_BAD_ATTRIBUTE = 0x000c;
    /** A field of the attribute, or its modifier, has a value that is not allowed. */
    public static final int STATUS_BAD_VALUE = 0x001c;

    /** First byte of the attribute. */
    public static final int DATA = 64;
    /** Bytes of the attribute. */
    public static final int DATA_LENGTH = 64;

    public static final Field BASE_VERSION = Field.bytes(0, 1);
    public static final Field MANAGEMENT_CLASS = Field.bytes(1, 1);
    public static final Field CLASS_VERSION = Field.bytes(2, 1);
    /** With {@link #RESPONSE_BIT}. */
    public static final Field METHOD = Field.bytes(3, 1);
    /** Of a directed packet: whether it is on its way back. */
    public static final Field DIRECTION = Field.of(4, 7, 1);

    public static final Field STATUS = Field.of(4, 6, 15);
    public static final Field HOP_POINTER = Field.bytes(6, 1);
    public static final Field HOP_COUNT = Field.bytes(7, 1);
    public static final LongField TRANSACTION = new LongField(8);
    public static final Field ATTRIBUTE = Field.bytes(16, 2);
    public static final Field MODIFIER = Field.bytes(20, 4);
    public static final LongField MANAGEMENT_KEY = new LongField(24);
    /** Of a directed packet: the requester, if the route begins with local identifiers; else {@link #PERMISSIVE_LID}. */
    public static final Field SOURCE_LID = Field.bytes(32, 2);
    /** Of a directed packet: the responder, if the route ends with local identifiers; else {@link #PERMISSIVE_LID}. */
    public static final Field TARGET_LID = Field.bytes(34, 2);

    private static final int INITIAL_PATH = 128;
    private static final int RETURN_PATH = 192;

    private Smp() {}

    /** Whether a datagram is a packet of one of the two classes. */
    public static boolean isSmp(MemorySegment segment, long at) {
        int managementClass = MANAGEMENT_CLASS.read(segment, at);
        return managementClass == CLASS_LID_ROUTED || managementClass == CLASS_DIRECTED;
    }

    /** Whether a packet carries its route. */
    public static boolean isDirected(MemorySegment segment, long at) {
        return MANAGEMENT_CLASS.read(segment, at) == CLASS_DIRECTED;
    }

    /** Whether a directed packet is on its way back. */
    public static boolean isReturning(MemorySegment segment, long at) {
        return DIRECTION.read(segment, at) != 0;
    }

    /** Sets the hop pointer of a directed packet to 0, as programs see it; does nothing with other datagrams. */
    public static void clearHopPointer(MemorySegment segment, long at) {
        if (isDirected(segment, at)) {
            HOP_POINTER.write(segment, at, 0);
        }
    }

    /** The port by which a directed packet leaves the node at the end of hop {@code hop} - 1; hops count from 1. */
    public static int initialPort(MemorySegment segment, long at, int hop) {
        return BigEndian.readByte(segment, at + INITIAL_PATH + hop);
    }

    /** Writes the port by which a directed packet leaves for hop {@code hop}, 0 … {@link #HOPS_MAX}. */
    public static void initialPort(MemorySegment segment, long at, int hop, int port) {
        BigEndian.writeByte(segment, at + INITIAL_PATH + hop, port);
    }

    /** The port by which a directed packet came in at the end of hop {@code hop}. */
    public static int returnPort(MemorySegment segment, long at, int hop) {
        return BigEndian.readByte(segment, at + RETURN_PATH + hop);
    }

    /** Writes the port by which a directed packet came in at the end of hop {@code hop}, 0 … {@link #HOPS_MAX}. */
    public static void returnPort(MemorySegment segment, long at, int hop, int port) {
        BigEndian.writeByte(segment, at + RETURN_PATH + hop, port);
    }

    /**
     * Writes a whole request, all its other bytes 0: no key, no data. A directed one has no hops and no parts by local identifiers yet.
     *
     * @param managementClass {@link #CLASS_LID_ROUTED} or {@link #CLASS_DIRECTED}
     */
    public static void request(
            MemorySegment segment,
            long at,
            int managementClass,
            int method,
            long transaction,
            int attribute,
            int modifier) {
        segment.asSlice(at, Mad.LENGTH).fill((byte) 0);
        BASE_VERSION.write(segment, at, Mad.BASE_VERSION);
        MANAGEMENT_CLASS.write(segment, at, managementClass);
        CLASS_VERSION.write(segment, at, VERSION);
        METHOD.write(segment, at, method);
        TRANSACTION.write(segment, at, transaction);
        ATTRIBUTE.write(segment, at, attribute);
        MODIFIER.write(segment, at, modifier);
        if (managementClass == CLASS_DIRECTED) {
            SOURCE_LID.write(segment, at, PERMISSIVE_LID);
            TARGET_LID.write(segment, at, PERMISSIVE_LID);
        }
    }
}
