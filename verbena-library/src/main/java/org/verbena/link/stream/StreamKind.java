package org.verbena.link.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a stream carries, told by the first bytes of the side that opened it. */
public enum StreamKind {
    /** iWARP: a request frame of MPA. */
    RDMA,
    /** iSCSI: a login request. */
    ISCSI,
    /** Anything else. */
    PLAIN;

    private static final byte[] MPA_REQUEST = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final int LOGIN = 0x03;
    /** The opcode's bits in the first byte of an iSCSI header, and the bit that is always 0. */
    private static final int OPCODE_MASK = 0xbf;
    /** Bytes of an iSCSI header up to the two versions, which are 0. */
    private static final int LOGIN_BYTES = 4;

    /** Bytes after which the kind is known at the latest. */
    public static final int BYTES_MAX = MPA_REQUEST.length;

    /**
     * The kind of a stream that begins with these bytes.
     *
     * @param first the bytes from 0 to the position; none of them changes
     * @return null if more bytes are needed
     */
    public static @Nullable StreamKind of(ByteBuffer first) {
        int length = first.position();
        if (length == 0) {
            return null;
        }
        int same = 0;
        while (same < Math.min(length, MPA_REQUEST.length) && first.get(same) == MPA_REQUEST[same]) {
            same++;
        }
        if (same == MPA_REQUEST.length) {
            return RDMA;
        }
        if (same == length) {
            return null;
        }
        if ((first.get(0) & OPCODE_MASK) != LOGIN) {
            return PLAIN;
        }
        if (length < LOGIN_BYTES) {
            return null;
        }
        return first.get(2) == 0 && first.get(3) == 0 ? ISCSI : PLAIN;
    }
}
