package org.verbena.fabric.flow;

import org.verbena.wire.BigEndian;

/** The forward notification of congestion in a base transport header. */
final class Fecn {
    private static final int AT = Parcel.BODY + 4;
    private static final int BIT = 0x80;

    private Fecn() {}

    /** Sets it; the variant CRC is computed again before the packet leaves. */
    static void set(Parcel parcel) {
        int old = BigEndian.readByte(parcel.segment(), AT);
        if ((old & BIT) == 0) {
            BigEndian.writeByte(parcel.segment(), AT, old | BIT);
            parcel.stale = true;
        }
    }
}
