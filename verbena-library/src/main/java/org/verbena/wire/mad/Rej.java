package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.wire.BigEndian;

/**
 * Reject (Table 108): refuses a request or a reply, or gives a connection up.
 *
 * @param answered one of {@link Answered}
 * @param informationLength bytes of the information that count, 7 bits
 * @param reason code; see {@link RejectReason}
 * @param information acceptable values, as the reason defines them
 */
public record Rej(
        int localId,
        int remoteId,
        int answered,
        int informationLength,
        int reason,
        PrivateData information,
        PrivateData privateData)
        implements CmMessage {
    public static final int ATTRIBUTE = 0x12;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 148;
    /** Bytes of additional information. */
    public static final int INFORMATION_MAX = 72;

    private static final int ANSWERED = 8;
    private static final int INFORMATION = 12;
    private static final int PRIVATE_DATA = INFORMATION + INFORMATION_MAX;

    /** A rejection without further information. */
    public static Rej of(int localId, int remoteId, int answered, RejectReason reason, PrivateData privateData) {
        return new Rej(localId, remoteId, answered, 0, reason.code(), PrivateData.NONE, privateData);
    }

    /** The same with information added. */
    public Rej with(PrivateData more) {
        return new Rej(localId, remoteId, answered, more.length(), reason, more, privateData);
    }

    /** Reads the message at {@code at}. */
    public static Rej read(MemorySegment segment, long at) {
        int word = BigEndian.readInt(segment, at + ANSWERED);
        return new Rej(
                BigEndian.readInt(segment, at),
                BigEndian.readInt(segment, at + 4),
                word >>> 30,
                word >>> 17 & 0x7f,
                word & 0xffff,
                PrivateData.read(segment, at + INFORMATION, INFORMATION_MAX),
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeInt(segment, at + 4, remoteId);
        int word = answered << 30 | (informationLength & 0x7f) << 17 | (reason & 0xffff);
        BigEndian.writeInt(segment, at + ANSWERED, word);
        information.write(segment, at + INFORMATION, INFORMATION_MAX);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
