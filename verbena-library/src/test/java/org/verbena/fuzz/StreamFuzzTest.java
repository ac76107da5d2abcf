package org.verbena.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any bytes of a peer into a stream of a whole adapter, from its first byte or behind the agreement, beside a connection that must go on. */
final class StreamFuzzTest {
    private static final int INPUT_MAX = 1 << 16;

    /** The first bytes of a stream: those of a request, of another protocol, or none of these. */
    @FuzzTest
    void noFirstBytesHarmAnAdapter(byte[] input) {
        if (input.length <= INPUT_MAX) {
            attack(input, false);
        }
    }

    /** Bytes behind a request that was accepted, without check sums. */
    @FuzzTest
    void noBytesOfAStreamHarmAnAdapter(byte[] input) {
        if (input.length <= INPUT_MAX) {
            attack(input, true);
        }
    }

    /** The first byte of the input is the length of the pieces. */
    private static void attack(byte[] input, boolean agreed) {
        try (BesiegedStream siege = new BesiegedStream()) {
            if (agreed) {
                siege.agree();
            }
            int piece = input.length == 0 ? 1 : 1 + (input[0] & 0xff);
            for (int at = 1; at < input.length; at += piece) {
                siege.send(input, at, Math.min(piece, input.length - at));
            }
            siege.check();
        }
    }
}
