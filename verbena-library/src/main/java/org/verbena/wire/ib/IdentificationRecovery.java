package org.verbena.wire.ib;

/**
 * Solves for the 16 unknown bits in front of a CRC-32.
 *
 * <p>A CRC is a remainder of polynomials over GF(2). If two messages differ only in 16 bits {@code m} that {@code n} bytes
 * follow, their CRCs differ by {@code m · x^(32+8n)} modulo the CRC's polynomial. That power of x has an inverse: the
 * difference times the inverse is {@code m}, or, if it has more than 16 bits, no {@code m} makes this difference. The
 * inverse depends on the length only and is kept. Polynomials are bit-reversed, as everywhere with this CRC: the highest
 * bit of an int is the coefficient of x^0.
 */
final class IdentificationRecovery {
    private static final int NONE = -1;
    private static final int POLYNOMIAL = 0xedb8_8320;
    private static final int ONE = 0x8000_0000;
    private static final int CRC_BITS = 32;
    /** From behind the identification to the end of the IPv4 header, and the UDP header. */
    private static final int HEADERS_AFTER = 14 + 8;
    /** Longer packets than any RoCE path MTU makes are solved too, only without keeping the inverse. */
    private static final int KEPT_MAX = 8192;

    private static final int INVERSE_OF_CRC_BITS = inverseOfPower(CRC_BITS);
    private static final int INVERSE_OF_BYTE = inverseOfPower(8);

    /** Inverse for each length; 0, which is no inverse of anything, where none was needed yet. */
    private final int[] inverses = new int[KEPT_MAX];

    /** The identification that makes this difference in a packet of {@code length} bytes from the BTH on, or −1. */
    int recover(int difference, int length) {
        int message = multiply(difference, inverse(length));
        if ((message & 0xffff) != 0) {
            return NONE;
        }
        return ((message >>> 16) & 0xff) << 8 | message >>> 24;
    }

    private int inverse(int length) {
        if (length >= KEPT_MAX) {
            return inverseFor(length);
        }
        int inverse = inverses[length];
        if (inverse == 0) {
            inverse = inverseFor(length);
            inverses[length] = inverse;
        }
        return inverse;
    }

    private static int inverseFor(int length) {
        int result = INVERSE_OF_CRC_BITS;
        int power = INVERSE_OF_BYTE;
        for (int n = HEADERS_AFTER + length; n != 0; n >>>= 1) {
            if ((n & 1) != 0) {
                result = multiply(result, power);
            }
            power = multiply(power, power);
        }
        return result;
    }

    private static int inverseOfPower(int exponent) {
        int value = ONE;
        for (int i = 0; i < exponent; i++) {
            value = value < 0 ? (value ^ POLYNOMIAL) << 1 | 1 : value << 1;
        }
        return value;
    }

    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            product ^= shifted & (rest >> 31);
            shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
        }
        return product;
    }
}
