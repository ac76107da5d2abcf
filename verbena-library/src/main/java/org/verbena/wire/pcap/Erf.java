package org.verbena.wire.pcap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.verbena.wire.BigEndian;

/** Header of a record in Endace's extensible record format: it names the kind of the bytes behind it. */
public final class Erf {
    /** Bytes on the wire. */
    public static final int LENGTH = 16;

    /** Record of an InfiniBand packet. */
    public static final int TYPE_INFINIBAND = 21;

    private static final int TYPE = 8;
    private static final int FLAGS = 9;
    private static final int RECORD_LENGTH = 10;
    private static final int LOST = 12;
    private static final int WIRE_LENGTH = 14;
    /** Records have different lengths. */
    private static final int VARYING_LENGTH = 4;

    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final ValueLayout.OfLong TIME = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Erf() {}

    /**
     * Writes the header at {@code at}.
     *
     * @param timestampNs since 1970; written as seconds and a binary fraction
     * @param type such as {@link #TYPE_INFINIBAND}
     * @param length bytes behind the header
     */
    public static void write(MemorySegment segment, long at, long timestampNs, int type, int length) {
        long fraction = ((timestampNs % NS_PER_SECOND) << 32) / NS_PER_SECOND;
        segment.set(TIME, at, ((timestampNs / NS_PER_SECOND) << 32) | fraction);
        BigEndian.writeByte(segment, at + TYPE, type);
        BigEndian.writeByte(segment, at + FLAGS, VARYING_LENGTH);
        BigEndian.writeShort(segment, at + RECORD_LENGTH, LENGTH + length);
        BigEndian.writeShort(segment, at + LOST, 0);
        BigEndian.writeShort(segment, at + WIRE_LENGTH, length);
    }
}
