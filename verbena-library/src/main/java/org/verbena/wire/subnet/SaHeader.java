package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.mad.Mad;

/** A datagram of subnet administration: header, segmentation and selection (specification 15.2.1). The fields read and write in place. */
public final class SaHeader {
    /** Class of subnet administration. */
    public static final int CLASS = 0x03;
    /** Version of its messages. */
    public static final int VERSION = 2;
    /** The queue pair of general services. */
    public static final int QUEUE_PAIR = 1;

    public static final int METHOD_GET = 0x01;
    public static final int METHOD_SET = 0x02;
    public static final int METHOD_GET_TABLE = 0x12;
    public static final int METHOD_DELETE = 0x15;
    /** Answers a Get and a Set. */
    public static final int METHOD_RESPONSE = 0x81;
    /** Answers a Delete. */
    public static final int METHOD_DELETE_RESPONSE = 0x95;
    /** The bit that all methods of answers have. */
    public static final int RESPONSE_BIT = 0x80;

    public static final int STATUS_GOOD = 0;
    public static final int STATUS_BUSY = 0x0001;
    public static final int STATUS_BAD_VERSION = 0x0004;
    /** The class has no such method. */
    public static final int STATUS_BAD_METHOD = 0x0008;
    /** The attribute is unknown, or has no such method. */
    public static final int STATUS_BAD_ATTRIBUTE = 0x000c;
    /** No room for another group or record. */
    public static final int STATUS_NO_RESOURCES = 0x0100;
    /** A component has a value that the request may not have. */
    public static final int STATUS_INVALID_REQUEST = 0x0200;
    /** No record fits. */
    public static final int STATUS_NO_RECORDS = 0x0300;
    /** More than one record fits. */
    public static final int STATUS_TOO_MANY_RECORDS = 0x0400;
    /** No port has the GID. */
    public static final int STATUS_INVALID_GID = 0x0500;
    /** A component is missing. */
    public static final int STATUS_INSUFFICIENT_COMPONENTS = 0x0600;

    public static final int STATUS_DENIED = 0x0700;

    /** First byte of the record. */
    public static final int DATA = 56;
    /** Bytes of the record. */
    public static final int DATA_LENGTH = 200;

    public static final Field MANAGEMENT_CLASS = Field.bytes(1, 1);
    public static final Field CLASS_VERSION = Field.bytes(2, 1);
    /** With {@link #RESPONSE_BIT}. */
    public static final Field METHOD = Field.bytes(3, 1);

    public static final Field STATUS = Field.bytes(4, 2);
    public static final LongField TRANSACTION = new LongField(8);
    public static final Field ATTRIBUTE = Field.bytes(16, 2);
    public static final Field MODIFIER = Field.bytes(20, 4);
    public static final LongField MANAGER_KEY = new LongField(36);
    /** Length of a record in units of 8 bytes. */
    public static final Field ATTRIBUTE_OFFSET = Field.bytes(44, 2);
    /** Bit i: component i of the record is given. */
    public static final LongField COMPONENT_MASK = new LongField(48);

    private static final Field BASE_VERSION = Field.bytes(0, 1);

    private SaHeader() {}

    /** Whether a datagram is one of subnet administration. */
    public static boolean isSa(MemorySegment segment, long at) {
        return Mad.isOf(segment, at, CLASS);
    }

    /** Writes a whole request, all its other bytes 0. */
    public static void request(
            MemorySegment segment, long at, int method, long transaction, int attribute, long componentMask) {
        segment.asSlice(at, Mad.LENGTH).fill((byte) 0);
        BASE_VERSION.write(segment, at, Mad.BASE_VERSION);
        MANAGEMENT_CLASS.write(segment, at, CLASS);
        CLASS_VERSION.write(segment, at, VERSION);
        METHOD.write(segment, at, method);
        TRANSACTION.write(segment, at, transaction);
        ATTRIBUTE.write(segment, at, attribute);
        COMPONENT_MASK.write(segment, at, componentMask);
    }
}
