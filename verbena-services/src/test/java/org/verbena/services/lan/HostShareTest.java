package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.verbena.services.push.PoolShape;
import org.verbena.services.push.SendBuffers;

final class HostShareTest {
    @Test
    void theOldestBuffersAreForgottenFirst() {
        HostShare share = new HostShare(4);
        for (int round = 0; round < 10; round++) {
            share.add(true);
            share.add(false);
            share.add(false);
            assertEquals(1, share.large());
            assertEquals(2, share.small());
            share.settle(2);
            assertEquals(0, share.large());
            assertEquals(2, share.small());
            share.settle(0);
            assertEquals(0, share.small());
        }
    }

    @Test
    void aFrameThatFitsInASmallBufferNeverTakesALargeOne() {
        try (Arena arena = Arena.ofConfined()) {
            SendBuffers buffers = new SendBuffers(arena, LanSizes.sent(9216, true, 1, 1));
            assertTrue(LanSizes.take(buffers, LanSizes.SMALL_BYTES) >= 0);
            assertEquals(-1, LanSizes.take(buffers, 100));
            assertEquals(1, buffers.freeCount());
            assertTrue(LanSizes.take(buffers, LanSizes.SMALL_BYTES + 1) >= 0);
        }
    }

    @Test
    void poolsHaveRoomForTheFramesOfTheirMtu() {
        assertEquals(1, LanSizes.offered(1500, false).length);
        for (int mtu : new int[] {68, 1500, LanSizes.mtuMax(1500, false), 2100, 9216}) {
            PoolShape[] shapes = LanSizes.offered(mtu, false);
            assertTrue(shapes[shapes.length - 1].elementBytes() >= LanSizes.frameBytes(mtu), () -> "MTU " + mtu);
        }
    }
}
