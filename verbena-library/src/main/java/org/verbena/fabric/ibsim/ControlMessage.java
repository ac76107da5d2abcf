package org.verbena.fabric.ibsim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A message of the control port: requests and replies have the same form. Its numbers are little-endian, as the programs of x86-64 have them; the
 * attributes in its data have the order of the wire.
 */
final class ControlMessage {
    static final int LENGTH = 80;
    static final int DATA = 16;
    static final int DATA_LENGTH = 64;

    static final int ERROR = 0;
    static final int CONNECT = 1;
    static final int DISCONNECT = 2;
    static final int PORT = 3;
    static final int VENDOR = 4;
    static final int GID = 5;
    static final int GUID = 6;
    static final int NODE_INFO = 7;
    static final int PORT_INFO = 8;
    static final int SET_IS_MANAGER = 9;
    static final int PKEYS = 10;

    /** In the data of a connect: the port of the client's data socket; in the reply the slot. */
    static final int CONNECT_ID = DATA;
    /** In the data of a connect: whether the client is a subnet manager. */
    static final int CONNECT_IS_MANAGER = DATA + 8;

    private static final int MAGIC = 0xdead_beef;
    private static final int CLIENT = 4;
    private static final int TYPE = 8;
    private static final int CONNECT_NODE = DATA + 12;
    private static final int NODE_LENGTH = 32;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private ControlMessage() {}

    static boolean isWellFormed(MemorySegment message, int length) {
        return length == LENGTH && message.get(INT, 0) == MAGIC;
    }

    /** Makes an empty request of a tool without a slot. */
    static void begin(MemorySegment message, int type) {
        message.fill((byte) 0);
        message.set(INT, 0, MAGIC);
        message.set(INT, TYPE, type);
    }

    static int client(MemorySegment message) {
        return message.get(INT, CLIENT);
    }

    static int type(MemorySegment message) {
        return message.get(INT, TYPE);
    }

    static void type(MemorySegment message, int type) {
        message.set(INT, TYPE, type);
    }

    static int readInt(MemorySegment message, long at) {
        return message.get(INT, at);
    }

    static void writeShort(MemorySegment message, long at, int value) {
        message.set(SHORT, at, (short) value);
    }

    static void writeInt(MemorySegment message, long at, int value) {
        message.set(INT, at, value);
    }

    static void writeLong(MemorySegment message, long at, long value) {
        message.set(LONG, at, value);
    }

    static void clearData(MemorySegment message) {
        message.asSlice(DATA, DATA_LENGTH).fill((byte) 0);
    }

    /** The name of a node in a connect; empty: none given. */
    static String node(MemorySegment message) {
        byte[] bytes = message.asSlice(CONNECT_NODE, NODE_LENGTH).toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < NODE_LENGTH && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Writes the name of a node in the reply to a connect, cut to 31 bytes. */
    static void node(MemorySegment message, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        message.asSlice(CONNECT_NODE, NODE_LENGTH).fill((byte) 0);
        int length = Math.min(bytes.length, NODE_LENGTH - 1);
        MemorySegment.copy(bytes, 0, message, ValueLayout.JAVA_BYTE, CONNECT_NODE, length);
    }
}
