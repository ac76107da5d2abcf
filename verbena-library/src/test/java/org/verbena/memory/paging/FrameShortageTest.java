package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class FrameShortageTest {
    private final FrameShortage shortage = new FrameShortage();
    private int told;

    @Test
    void isToldOnceUntilItIsOver() {
        shortage.onBegin(() -> told++);
        shortage.update(1, false, false);
        assertFalse(shortage.isPresent(), "frames can be reclaimed");
        shortage.update(1, false, true);
        shortage.update(2, false, true);
        assertTrue(shortage.isPresent());
        assertEquals(1, told);
        assertEquals(1, shortage.count());
    }

    @Test
    void endsWhenAPageGotAFrameOrNoneWaits() {
        shortage.update(1, false, true);
        shortage.update(1, true, true);
        assertFalse(shortage.isPresent(), "a page got a frame");
        shortage.update(1, false, true);
        shortage.update(0, false, true);
        assertFalse(shortage.isPresent(), "no page waits");
        assertEquals(2, shortage.count());
    }

    @Test
    void lastsWhileFramesCanBeReclaimedButNoneIsGiven() {
        shortage.update(1, false, true);
        shortage.update(1, false, false);
        assertTrue(shortage.isPresent());
    }
}
