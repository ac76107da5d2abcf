package org.verbena.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class HoldCountTest {
    private final HoldCount count = new HoldCount();

    @Test
    void whatIsHeldCannotBeClosed() {
        count.hold("it");
        count.hold("it");
        var refused = assertThrows(IllegalStateException.class, () -> count.close("it"));
        assertEquals("it cannot be closed: in use 2 times", refused.getMessage());
        assertEquals(2, count.count());
        count.release();
        count.release();
        assertTrue(count.close("it"));
        assertFalse(count.close("it"));
        assertTrue(count.isClosed());
    }

    @Test
    void whatIsClosedCannotBeHeld() {
        assertTrue(count.close("it"));
        var refused = assertThrows(IllegalStateException.class, () -> count.hold("it"));
        assertEquals("it is closed", refused.getMessage());
        assertEquals(0, count.count());
    }

    @Test
    void whatIsShutKeepsItsHoldersAndIsClosedAfterTheLast() {
        count.hold("it");
        count.shut();
        assertTrue(count.isShut());
        assertThrows(IllegalStateException.class, () -> count.hold("it"));
        assertEquals(1, count.count());
        assertThrows(IllegalStateException.class, () -> count.close("it"));
        count.release();
        assertFalse(count.isClosed());
        assertTrue(count.close("it"));
    }
}
