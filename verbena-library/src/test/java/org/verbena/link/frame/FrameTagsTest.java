package org.verbena.link.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** VLAN tags, which the kernel takes out of frames that come in. A frame of a TAP comes in at a packet socket of the same interface. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class FrameTagsTest {
    private static final int CHECKSUM_START = 38;

    private Namespace namespace;
    private FramePair pair;

    @BeforeEach
    void open() throws Exception {
        namespace = new Namespace();
        FramePort tap = namespace.tap("");
        pair = new FramePair(tap, namespace.call(() -> PacketPort.open(tap.name())));
    }

    @AfterEach
    void close() {
        if (pair != null) {
            pair.close();
        }
        namespace.close();
    }

    private static byte[] tagged(int protocol, int length) {
        byte[] frame = FramePair.frame(length, length);
        frame[16] = frame[12];
        frame[17] = frame[13];
        frame[12] = (byte) (protocol >>> 8);
        frame[13] = (byte) protocol;
        frame[14] = (byte) 0xa1;
        frame[15] = 0x23;
        return frame;
    }

    @Test
    void everyFrameKeepsItsTag() {
        for (int protocol : new int[] {0x8100, 0x88a8}) {
            for (int length : new int[] {20, 21, 64, 1513, 1514, 1517, 1518}) {
                if (protocol == 0x88a8 && length > 1514) {
                    continue; // the kernel leaves room in the MTU for the other tag only
                }
                byte[] frame = tagged(protocol, length);
                assertTrue(pair.send(pair.left, frame));
                assertArrayEquals(frame, pair.receive(pair.right), "from the TAP, of length " + length);
                assertTrue(
                        pair.send(pair.right, frame),
                        () -> pair.right.counters().toString());
                assertArrayEquals(frame, pair.receive(pair.left), "to the TAP, of length " + length);
            }
        }
    }

    @Test
    void aFrameThatFitsOnlyWithoutItsTagIsTooLong() {
        for (boolean offloads : new boolean[] {false, true}) {
            pair.right.offloads(offloads);
            assertTrue(pair.send(pair.left, tagged(0x8100, 104)));
            int room = (offloads ? FramePort.OFFLOAD_HEADER_BYTES : 0) + 100;
            long expected = offloads ? 2 : 1;
            pair.receiveUntil(pair.right, room, () -> pair.right.counters().receiveTooLong() == expected);
        }
    }

    /** A frame of UDP with a partial checksum. */
    private static byte[] partial() {
        byte[] frame = FramePair.headed(tagged(0x8100, 200));
        frame[OffloadHeader.FLAGS] = OffloadHeader.NEEDS_CHECKSUM;
        frame[OffloadHeader.CHECKSUM_START] = CHECKSUM_START;
        frame[OffloadHeader.CHECKSUM_OFFSET] = 6;
        return frame;
    }

    @Test
    void theHeaderFitsTheFrameWithItsTag() {
        pair.left.offloads(true);
        pair.right.offloads(true);
        assertTrue(pair.send(pair.left, partial()));
        byte[] taken = pair.receive(pair.right);
        assertArrayEquals(partial(), taken);
    }

    @Test
    void withoutOffloadsThePartialChecksumIsCompleted() {
        pair.left.offloads(true);
        byte[] sent = partial();
        assertTrue(pair.send(pair.left, sent));
        byte[] expected = Arrays.copyOfRange(sent, FramePort.OFFLOAD_HEADER_BYTES, sent.length);
        int checksum = ~sum(expected, CHECKSUM_START, expected.length) & 0xffff;
        expected[CHECKSUM_START + 6] = (byte) (checksum >>> 8);
        expected[CHECKSUM_START + 7] = (byte) checksum;
        assertArrayEquals(expected, pair.receive(pair.right));
        assertEquals(0, pair.right.counters().receiveMalformed());
    }

    /** The sum of RFC 1071: words of 16 bits, carries added at the end. */
    private static int sum(byte[] bytes, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i += 2) {
            sum += ((bytes[i] & 0xff) << 8) | (i + 1 < to ? bytes[i + 1] & 0xff : 0);
        }
        while (sum > 0xffff) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return (int) sum;
    }
}
