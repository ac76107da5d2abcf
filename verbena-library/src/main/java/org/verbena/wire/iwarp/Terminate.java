package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.BigEndian;

/**
 * Terminate message (RFC 5040, 4.8): why the sender ends the stream. Behind it, as the three flags tell: the length of the segment that
 * caused the error (two bytes), its header of DDP, its header of RDMAP.
 *
 * <p>Linux siw has the two halves of the first byte swapped, and the flags at the other end of their byte. {@link #read} recognizes such
 * a message and gives the fields their meaning; a message that is {@link #swapped} is written again as it was.
 *
 * @param layer that found the error, 4 bits
 * @param type of the error, 4 bits
 * @param code of the error, 8 bits
 * @param hasLength the length of the segment follows (M)
 * @param hasDdp the segment's header of DDP follows (D)
 * @param hasRdmap the segment's header of RDMAP follows (R)
 * @param swapped whether the fields stand where Linux siw has them
 */
public record Terminate(
        int layer, int type, int code, boolean hasLength, boolean hasDdp, boolean hasRdmap, boolean swapped) {
    /** Bytes on the wire that are always there. */
    public static final int LENGTH = 4;

    /** Bytes of the length of the segment. */
    public static final int SEGMENT_LENGTH = 2;

    /** Bytes of the longest message: all three headers, the one of RDMAP that of an atomic request. */
    public static final int LENGTH_MAX = LENGTH + SEGMENT_LENGTH + UntaggedHeader.LENGTH + AtomicRequest.LENGTH;

    private static final int FLAGS = 2;
    private static final int HAS_LENGTH = 0x80;
    private static final int HAS_DDP = 0x40;
    private static final int HAS_RDMAP = 0x20;
    private static final int FLAGS_MASK = 0xe0;
    private static final int SWAPPED_LENGTH = 0x01;
    private static final int SWAPPED_DDP = 0x02;
    private static final int SWAPPED_RDMAP = 0x04;
    private static final int SWAPPED_MASK = 0x07;

    /** A message as the RFC has it. */
    public static Terminate of(TerminateCode reason, boolean hasDdp, boolean hasRdmap) {
        return new Terminate(reason.layer(), reason.type(), reason.code(), hasDdp, hasDdp, hasRdmap, false);
    }

    /** Reads the message at {@code at}. */
    public static Terminate read(MemorySegment segment, long at) {
        int first = BigEndian.readByte(segment, at);
        int code = BigEndian.readByte(segment, at + 1);
        int flags = BigEndian.readByte(segment, at + FLAGS);
        if (isSwapped(first, code, flags)) {
            return new Terminate(
                    first & 0xf,
                    first >>> 4,
                    code,
                    (flags & SWAPPED_LENGTH) != 0,
                    (flags & SWAPPED_DDP) != 0,
                    (flags & SWAPPED_RDMAP) != 0,
                    true);
        }
        return new Terminate(
                first >>> 4,
                first & 0xf,
                code,
                (flags & HAS_LENGTH) != 0,
                (flags & HAS_DDP) != 0,
                (flags & HAS_RDMAP) != 0,
                false);
    }

    /** The place of the flags tells; without flags, a reason that only one reading has. */
    private static boolean isSwapped(int first, int code, int flags) {
        if ((flags & (FLAGS_MASK | SWAPPED_MASK)) != 0) {
            return (flags & FLAGS_MASK) == 0;
        }
        return TerminateCode.of(first >>> 4, first & 0xf, code) == null
                && TerminateCode.of(first & 0xf, first >>> 4, code) != null;
    }

    /** Writes the message at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeByte(segment, at, swapped ? type << 4 | (layer & 0xf) : layer << 4 | (type & 0xf));
        BigEndian.writeByte(segment, at + 1, code);
        int flags = (hasLength ? flag(HAS_LENGTH, SWAPPED_LENGTH) : 0)
                | (hasDdp ? flag(HAS_DDP, SWAPPED_DDP) : 0)
                | (hasRdmap ? flag(HAS_RDMAP, SWAPPED_RDMAP) : 0);
        BigEndian.writeShort(segment, at + FLAGS, flags << 8);
    }

    private int flag(int regular, int swappedFlag) {
        return swapped ? swappedFlag : regular;
    }

    /** The reason; null if the numbers are none of the RFCs'. */
    public @Nullable TerminateCode reason() {
        return TerminateCode.of(layer, type, code);
    }
}
