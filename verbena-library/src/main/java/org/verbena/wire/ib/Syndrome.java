package org.verbena.wire.ib;

import org.jspecify.annotations.Nullable;
import org.verbena.RnrTimer;

/**
 * The first byte of an {@link Aeth}: two bits give its kind, five bits the details (specification 9.7.5.1, table 45). It
 * stays an {@code int}, 0 … 255, so that nothing is allocated; here it is read and made.
 */
public final class Syndrome {
    private static final int TYPE_MASK = 0xe0;
    private static final int VALUE_MASK = 0x1f;
    private static final int TYPE_ACK = 0x00;
    private static final int TYPE_RNR = 0x20;
    private static final int TYPE_NAK = 0x60;

    private Syndrome() {}

    /** Whether everything up to the packet's sequence number is acknowledged. */
    public static boolean isAck(int syndrome) {
        return (syndrome & TYPE_MASK) == TYPE_ACK;
    }

    /** Whether the receiver was not ready and the requester is to come again later. */
    public static boolean isRnrNak(int syndrome) {
        return (syndrome & TYPE_MASK) == TYPE_RNR;
    }

    /** Whether the request is refused, for a reason that may be a reserved one. */
    public static boolean isNak(int syndrome) {
        return (syndrome & TYPE_MASK) == TYPE_NAK;
    }

    /** Of an acknowledgement: the {@link CreditCode} of the receives that are ready. */
    public static int creditCode(int syndrome) {
        return syndrome & VALUE_MASK;
    }

    /** Of a NAK: its reason, or null if the code is reserved. */
    public static @Nullable NakCode nakCode(int syndrome) {
        return NakCode.of(syndrome);
    }

    /** Of a receiver-not-ready NAK: how long to wait. */
    public static RnrTimer rnrTimer(int syndrome) {
        return RnrTimer.of(syndrome & VALUE_MASK);
    }

    /** An acknowledgement with a {@link CreditCode}, {@link CreditCode#NONE} included. */
    public static int ack(int creditCode) {
        return TYPE_ACK | (creditCode & VALUE_MASK);
    }

    /** A refusal. */
    public static int nak(NakCode code) {
        return TYPE_NAK | code.code();
    }

    /** A refusal because the receiver was not ready. */
    public static int rnr(RnrTimer timer) {
        return TYPE_RNR | timer.code();
    }

    /** For people: {@code ACK}, {@code RNR NAK 122880 us}, {@code NAK REMOTE_ACCESS_ERROR}. */
    public static String describe(int syndrome) {
        if (isAck(syndrome)) {
            int credits = creditCode(syndrome);
            return credits == CreditCode.NONE ? "ACK" : "ACK, credits " + CreditCode.credits(credits);
        }
        if (isRnrNak(syndrome)) {
            return "RNR NAK " + rnrTimer(syndrome).microseconds() + " us";
        }
        NakCode code = isNak(syndrome) ? nakCode(syndrome) : null;
        return code == null ? "reserved syndrome 0x" + Integer.toHexString(syndrome & 0xff) : "NAK " + code;
    }
}
