package org.verbena.wire.iwarp;

import org.jspecify.annotations.Nullable;

/**
 * The reasons for which a stream is terminated: layer, error type and error code (RFC 5040, 4.8; RFC 5041, 7; RFC 5044, 8; RFC 6581, 8).
 */
public enum TerminateCode {
    RDMAP_CATASTROPHIC(TerminateCode.RDMAP, 0, 0x00),
    RDMAP_INVALID_STAG(TerminateCode.RDMAP, 1, 0x00),
    RDMAP_BASE_OR_BOUNDS(TerminateCode.RDMAP, 1, 0x01),
    RDMAP_ACCESS_RIGHTS(TerminateCode.RDMAP, 1, 0x02),
    RDMAP_STAG_NOT_ASSOCIATED(TerminateCode.RDMAP, 1, 0x03),
    RDMAP_OFFSET_WRAP(TerminateCode.RDMAP, 1, 0x04),
    RDMAP_STAG_NOT_INVALIDATED(TerminateCode.RDMAP, 1, 0x09),
    RDMAP_PROTECTION_UNSPECIFIED(TerminateCode.RDMAP, 1, 0xff),
    RDMAP_VERSION(TerminateCode.RDMAP, 2, 0x05),
    RDMAP_UNEXPECTED_OPCODE(TerminateCode.RDMAP, 2, 0x06),
    RDMAP_CATASTROPHIC_STREAM(TerminateCode.RDMAP, 2, 0x07),
    RDMAP_CATASTROPHIC_GLOBAL(TerminateCode.RDMAP, 2, 0x08),
    RDMAP_OPERATION_STAG_NOT_INVALIDATED(TerminateCode.RDMAP, 2, 0x09),
    RDMAP_OPERATION_UNSPECIFIED(TerminateCode.RDMAP, 2, 0xff),

    DDP_CATASTROPHIC(TerminateCode.DDP, 0, 0x00),
    DDP_INVALID_STAG(TerminateCode.DDP, 1, 0x00),
    DDP_BASE_OR_BOUNDS(TerminateCode.DDP, 1, 0x01),
    DDP_STAG_NOT_ASSOCIATED(TerminateCode.DDP, 1, 0x02),
    DDP_OFFSET_WRAP(TerminateCode.DDP, 1, 0x03),
    DDP_TAGGED_VERSION(TerminateCode.DDP, 1, 0x04),
    DDP_INVALID_QUEUE(TerminateCode.DDP, 2, 0x01),
    DDP_NO_BUFFER(TerminateCode.DDP, 2, 0x02),
    DDP_MSN_RANGE(TerminateCode.DDP, 2, 0x03),
    DDP_INVALID_OFFSET(TerminateCode.DDP, 2, 0x04),
    DDP_MESSAGE_TOO_LONG(TerminateCode.DDP, 2, 0x05),
    DDP_UNTAGGED_VERSION(TerminateCode.DDP, 2, 0x06),

    MPA_STREAM_LOST(TerminateCode.LLP, 0, 0x01),
    MPA_CRC(TerminateCode.LLP, 0, 0x02),
    MPA_MARKER(TerminateCode.LLP, 0, 0x03),
    MPA_INVALID_FRAME(TerminateCode.LLP, 0, 0x04),
    MPA_CATASTROPHIC(TerminateCode.LLP, 0, 0x05),
    MPA_INSUFFICIENT_IRD(TerminateCode.LLP, 0, 0x06),
    MPA_NO_MATCHING_READY(TerminateCode.LLP, 0, 0x07);

    /** Layer of RDMAP. */
    public static final int RDMAP = 0;

    /** Layer of DDP. */
    public static final int DDP = 1;

    /** Layer below DDP: MPA. */
    public static final int LLP = 2;

    private static final TerminateCode[] ALL = values();

    private final int layer;
    private final int type;
    private final int code;

    TerminateCode(int layer, int type, int code) {
        this.layer = layer;
        this.type = type;
        this.code = code;
    }

    /** The reason of these numbers; null if it is none of the RFCs'. A catastrophic error of RDMAP may have any code. */
    public static @Nullable TerminateCode of(int layer, int type, int code) {
        for (TerminateCode each : ALL) {
            boolean anyCode = each == RDMAP_CATASTROPHIC;
            if (each.layer == layer && each.type == type && (each.code == code || anyCode)) {
                return each;
            }
        }
        return null;
    }

    /** Layer that found the error. */
    public int layer() {
        return layer;
    }

    /** Error type, as the layer defines it. */
    public int type() {
        return type;
    }

    /** Error code, as the error type defines it. */
    public int code() {
        return code;
    }

    /** Whether the reason is about one segment, so that the message repeats the header of the segment. */
    public boolean isAboutSegment() {
        return layer != LLP && type != 0;
    }
}
