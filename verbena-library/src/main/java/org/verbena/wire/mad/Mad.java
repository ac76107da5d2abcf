package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * The header all management datagrams begin with (specification 13.4.3).
 *
 * @param baseVersion version of this header
 * @param managementClass the class of management, such as {@link #CLASS_CM}
 * @param classVersion version of the class's messages
 * @param method such as {@link #METHOD_SEND}
 * @param status of a response
 * @param transactionId the same in a question and its answers
 * @param attribute kind of message within the class
 * @param modifier of the attribute
 */
public record Mad(
        int baseVersion,
        int managementClass,
        int classVersion,
        int method,
        int status,
        int classSpecific,
        long transactionId,
        int attribute,
        int modifier) {
    /** Bytes of a whole datagram: all have the same. */
    public static final int LENGTH = 256;
    /** Bytes of the header; the class's data follow. */
    public static final int HEADER_LENGTH = 24;
    /** The only base version there is. */
    public static final int BASE_VERSION = 1;
    /** The queue pair of general services, at every port. */
    public static final int QUEUE_PAIR = 1;
    /** The key of that queue pair. */
    public static final int QKEY = 0x8001_0000;
    /** Class of the communication manager. */
    public static final int CLASS_CM = 7;
    /** Version of its messages. */
    public static final int CM_VERSION = 2;
    /** Class of data at connect: of the vendors' range 2, whose datagrams name their vendor. */
    public static final int CLASS_DATA = 0x44;
    /** Version of its messages. */
    public static final int DATA_VERSION = 1;
    /** Sets something; the receiver answers with {@link #METHOD_RESPONSE}. */
    public static final int METHOD_SET = 2;
    /** Send, without an answer implied. */
    public static final int METHOD_SEND = 3;
    /** The answer to {@link #METHOD_SET}. */
    public static final int METHOD_RESPONSE = 0x81;

    private static final int STATUS = 4;
    private static final int CLASS_SPECIFIC = 6;
    private static final int TRANSACTION = 8;
    private static final int ATTRIBUTE = 16;
    /** Reserved by the specification, and zero there. */
    private static final int SENDER_PORT = 18;

    private static final int MODIFIER = 20;

    /** The header of a message of the communication manager. */
    public static Mad cm(long transactionId, int attribute) {
        return new Mad(BASE_VERSION, CLASS_CM, CM_VERSION, METHOD_SEND, 0, 0, transactionId, attribute, 0);
    }

    /** Reads the header at {@code at}. */
    public static Mad read(MemorySegment segment, long at) {
        return new Mad(
                BigEndian.readByte(segment, at),
                BigEndian.readByte(segment, at + 1),
                BigEndian.readByte(segment, at + 2),
                BigEndian.readByte(segment, at + 3),
                BigEndian.readShort(segment, at + STATUS),
                BigEndian.readShort(segment, at + CLASS_SPECIFIC),
                BigEndian.readLong(segment, at + TRANSACTION),
                BigEndian.readShort(segment, at + ATTRIBUTE),
                BigEndian.readInt(segment, at + MODIFIER));
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeByte(segment, at, baseVersion);
        BigEndian.writeByte(segment, at + 1, managementClass);
        BigEndian.writeByte(segment, at + 2, classVersion);
        BigEndian.writeByte(segment, at + 3, method);
        BigEndian.writeShort(segment, at + STATUS, status);
        BigEndian.writeShort(segment, at + CLASS_SPECIFIC, classSpecific);
        BigEndian.writeLong(segment, at + TRANSACTION, transactionId);
        BigEndian.writeInt(segment, at + ATTRIBUTE, attribute << 16);
        BigEndian.writeInt(segment, at + MODIFIER, modifier);
    }

    /** Whether a datagram has the base version and this class, without an object. */
    public static boolean isOf(MemorySegment segment, long at, int managementClass) {
        return BigEndian.readByte(segment, at) == BASE_VERSION && managementClass(segment, at) == managementClass;
    }

    /**
     * The UDP port at which the sender of a datagram receives; 0: the one that the datagram came to. Verbena's own use of reserved
     * bits, in datagrams between ports that receive at different UDP ports. The specification and Linux know no such ports.
     */
    public static int senderPort(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + SENDER_PORT);
    }

    /** Writes the UDP port at which the sender receives; 0: the one that the datagram goes to. */
    public static void senderPort(MemorySegment segment, long at, int port) {
        BigEndian.writeShort(segment, at + SENDER_PORT, port);
    }

    /** Attribute of the datagram at {@code at}. */
    public static int attribute(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + ATTRIBUTE);
    }

    /** Management class of a datagram, without an object. */
    public static int managementClass(MemorySegment segment, long at) {
        return BigEndian.readByte(segment, at + 1);
    }
}
