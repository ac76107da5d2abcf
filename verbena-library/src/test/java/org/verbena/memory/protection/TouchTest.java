package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Touches;
import org.verbena.Verdict;
import org.verbena.memory.ProtectionDomain;

/** An entry that is valid for one message: only the message that has touched it ends its validity. */
final class TouchTest {
    private static final int QUEUE_PAIR = 9;
    private static final int LENGTH = 64;

    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 8);
    private final Accessor owner = Accessor.local(domain, QUEUE_PAIR, Right.LOCAL_WRITE);
    private final Accessor writer = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_WRITE);
    private final Accessor sibling = Accessor.remote(domain, QUEUE_PAIR + 1, Right.REMOTE_WRITE);
    private final int key = enabled();

    private int enabled() {
        TableRegion region = table.reserve(domain, memory, Tables.ALL);
        assertEquals(Verdict.GRANTED, table.enable(region.key(), owner, Touches.ONE));
        return region.key();
    }

    private Verdict touch(Accessor by, long message) {
        return table.touch(by, key, memory.address(), LENGTH, message);
    }

    private Verdict judge() {
        return table.judge(writer, key, memory.address(), LENGTH);
    }

    @Test
    void theEndOfAMessageThatHasNotTouchedItChangesNothing() {
        table.endTouch(writer, key, 1);
        assertEquals(Verdict.GRANTED, judge(), "no message has touched it");
        assertEquals(Verdict.GRANTED, touch(writer, 5));
        table.endTouch(writer, key, 4);
        table.endTouch(writer, key, 6);
        table.endTouch(sibling, key, 5);
        assertEquals(Verdict.GRANTED, judge(), "other messages have ended");
        table.endTouch(writer, key, 5);
        assertEquals(Verdict.INVALID, judge());
    }

    @Test
    void theSamePartMayComeAgainAndAnotherMayNot() {
        assertEquals(Verdict.GRANTED, touch(writer, 5));
        assertEquals(Verdict.GRANTED, touch(writer, 5));
        assertEquals(Verdict.TOUCHED, touch(sibling, 5), "message 5 of another queue pair");
        assertEquals(Verdict.INVALID, judge());
    }

    @Test
    void anAccessThatIsRefusedTouchesNothing() {
        assertEquals(Verdict.OUT_OF_BOUNDS, table.touch(writer, key, memory.address() + 4090, LENGTH, 3));
        assertEquals(Verdict.GRANTED, table.touch(writer, key, memory.address(), 0, 3));
        assertEquals(Verdict.GRANTED, touch(writer, 4));
    }
}
