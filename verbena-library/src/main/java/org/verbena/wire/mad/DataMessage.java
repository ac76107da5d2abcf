package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * A message of data at connect: Verbena's own class of management datagrams. {@code docs/reference/data-at-connect.md} has its bytes.
 * Question and answer have the same form, so that the answer of an agent that only echoes a datagram is understood too.
 */
public sealed interface DataMessage extends MadMessage permits DataPiece, DataAnswer {
    /** Attribute of all messages. */
    int ATTRIBUTE = 0x10;
    /** Vendor in each datagram: an OUI that no manufacturer has, with the bit for "locally administered". */
    int VENDOR = 0x02_56_42;
    /** The bits of the vendor in its word; the others are reserved. */
    int VENDOR_MASK = 0xff_ffff;
    /** Bytes of data in a datagram at most. */
    int PIECE_LENGTH = 200;

    /** Behind the header: 12 bytes for datagrams of several packets, which are zero, and a reserved byte. */
    int VENDOR_AT = Mad.HEADER_LENGTH + 12;

    int OWNER_AT = VENDOR_AT + 4;
    int RECEIVER_AT = OWNER_AT + 4;
    int LENGTH_AT = RECEIVER_AT + 4;
    int BURST_AT = LENGTH_AT + 4;
    int INDEX_AT = BURST_AT + 2;
    int CONTENT_AT = INDEX_AT + 2;

    /**
     * What both ends say about the data of one of them.
     *
     * @param ownerId communication id of the end whose data they are
     * @param receiverId communication id of the end that gets them
     * @param length bytes of all data; a peer can state any number, less than nothing too
     * @param burst number of the burst of pieces that the message belongs to, 16 bits
     * @param index number of the piece, or of the piece that is answered, 16 bits
     */
    record Part(int ownerId, int receiverId, int length, int burst, int index) {
        static Part read(MemorySegment segment, long at) {
            return new Part(
                    BigEndian.readInt(segment, at + OWNER_AT),
                    BigEndian.readInt(segment, at + RECEIVER_AT),
                    BigEndian.readInt(segment, at + LENGTH_AT),
                    BigEndian.readShort(segment, at + BURST_AT),
                    BigEndian.readShort(segment, at + INDEX_AT));
        }

        void write(MemorySegment segment, long at) {
            BigEndian.writeInt(segment, at + OWNER_AT, ownerId);
            BigEndian.writeInt(segment, at + RECEIVER_AT, receiverId);
            BigEndian.writeInt(segment, at + LENGTH_AT, length);
            BigEndian.writeShort(segment, at + BURST_AT, burst);
            BigEndian.writeShort(segment, at + INDEX_AT, index);
        }
    }

    /** Names the data, the burst and the piece. */
    Part part();

    /** The method in the header. */
    int method();

    /** The status in the header. */
    int status();

    /** The last field: bytes of data, or the pieces that have arrived. */
    PrivateData content();

    /** Number of pieces of data of this length. Data without a byte have one piece. */
    static int pieces(int length) {
        return Math.max(1, (length + PIECE_LENGTH - 1) / PIECE_LENGTH);
    }

    /** The message of a whole datagram at {@code at}; null if it is not one of data at connect. */
    static @Nullable DataMessage read(MemorySegment mad, long at) {
        Mad header = Mad.read(mad, at);
        if (header.baseVersion() != Mad.BASE_VERSION
                || header.managementClass() != Mad.CLASS_DATA
                || header.classVersion() != Mad.DATA_VERSION
                || header.attribute() != ATTRIBUTE
                || (BigEndian.readInt(mad, at + VENDOR_AT) & VENDOR_MASK) != VENDOR) {
            return null;
        }
        Part part = Part.read(mad, at);
        PrivateData content = PrivateData.read(mad, at + CONTENT_AT, PIECE_LENGTH);
        return switch (header.method()) {
            case Mad.METHOD_SEND -> new DataPiece(part, false, content);
            case Mad.METHOD_SET -> new DataPiece(part, true, content);
            case Mad.METHOD_RESPONSE -> new DataAnswer(part, header.status(), content);
            default -> null;
        };
    }

    @Override
    default void writeMad(MemorySegment segment, long at, long transactionId) {
        segment.asSlice(at, Mad.LENGTH).fill((byte) 0);
        new Mad(Mad.BASE_VERSION, Mad.CLASS_DATA, Mad.DATA_VERSION, method(), status(), 0, transactionId, ATTRIBUTE, 0)
                .write(segment, at);
        BigEndian.writeInt(segment, at + VENDOR_AT, VENDOR);
        part().write(segment, at);
        content().write(segment, at + CONTENT_AT, PIECE_LENGTH);
    }
}
