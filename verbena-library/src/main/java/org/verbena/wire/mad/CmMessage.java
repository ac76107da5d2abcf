package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A message of the communication manager (specification 12.6): the bytes behind the header of a {@link Mad}. */
public sealed interface CmMessage extends MadMessage
        permits Req, Mra, Rej, Rep, Rtu, Dreq, Drep, SidrReq, SidrRep, Lap, Apr {
    /** Its number in the header. */
    int attribute();

    /** Writes the fields at {@code at}, where the header ends, into memory that is zero. */
    void write(MemorySegment segment, long at);

    /** The message of a whole datagram at {@code at}; null if its version, method or attribute is not one of the communication manager. */
    static @Nullable CmMessage read(MemorySegment mad, long at) {
        Mad header = Mad.read(mad, at);
        if (header.baseVersion() != Mad.BASE_VERSION
                || header.managementClass() != Mad.CLASS_CM
                || header.classVersion() != Mad.CM_VERSION
                || header.method() != Mad.METHOD_SEND) {
            return null;
        }
        return read(header.attribute(), mad, at + Mad.HEADER_LENGTH);
    }

    private static @Nullable CmMessage read(int attribute, MemorySegment segment, long at) {
        return switch (attribute) {
            case Req.ATTRIBUTE -> Req.read(segment, at);
            case Mra.ATTRIBUTE -> Mra.read(segment, at);
            case Rej.ATTRIBUTE -> Rej.read(segment, at);
            case Rep.ATTRIBUTE -> Rep.read(segment, at);
            case Rtu.ATTRIBUTE -> Rtu.read(segment, at);
            case Dreq.ATTRIBUTE -> Dreq.read(segment, at);
            case Drep.ATTRIBUTE -> Drep.read(segment, at);
            case SidrReq.ATTRIBUTE -> SidrReq.read(segment, at);
            case SidrRep.ATTRIBUTE -> SidrRep.read(segment, at);
            case Lap.ATTRIBUTE -> Lap.read(segment, at);
            case Apr.ATTRIBUTE -> Apr.read(segment, at);
            default -> null;
        };
    }

    @Override
    default void writeMad(MemorySegment segment, long at, long transactionId) {
        segment.asSlice(at, Mad.LENGTH).fill((byte) 0);
        Mad.cm(transactionId, attribute()).write(segment, at);
        write(segment, at + Mad.HEADER_LENGTH);
    }
}
