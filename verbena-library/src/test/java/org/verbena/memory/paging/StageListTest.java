package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

final class StageListTest {
    private final Pager driver = new Pager(
            new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1)),
            new NumberedFrames(1),
            new ClockPolicy(1),
            null,
            1);

    private Stage stage() {
        return new Stage(1, driver, MemorySegment.NULL, null, 0);
    }

    @Test
    void numbersAreGivenAgainAndHaveALimit() {
        StageList list = new StageList(20);
        Stage third = stage();
        for (int i = 0; i < 20; i++) {
            list.add(i == 3 ? third : stage());
        }
        assertEquals(3, third.number());
        assertThrows(IllegalStateException.class, () -> list.add(stage()));
        list.remove(third);
        Stage next = stage();
        list.add(next);
        assertEquals(3, next.number());
        assertSame(next, list.get(3));
    }

    @Test
    void anOwnerIsAsItWasSaid() {
        Owners owners = new Owners(2);
        long greatest = (1L << Owners.BITS) - 1;
        for (long name : new long[] {1, 0xffff_ffffL, 1L << 32, greatest, 0x5a5a_89ab_cdefL}) {
            owners.setNew(1, name);
            assertEquals(name, owners.name(1));
            assertEquals(true, owners.isNew(1));
            owners.setKnown(1);
            assertEquals(name, owners.name(1));
            assertEquals(false, owners.isNew(1));
        }
        owners.clear(1);
        assertEquals(0, owners.name(1));
        assertEquals(0, owners.name(0));
    }
}
