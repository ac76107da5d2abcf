package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What the threads of a shared engine know of each other. */
final class WatcherRoleTest {
    /** The thread of an engine, which does not run. */
    private final Thread engine = Thread.ofPlatform().unstarted(() -> {});

    private final WatcherRole watch = new WatcherRole(engine);

    @Test
    void theOnlyVirtualThreadThatWaitsKnowsOfNoOtherWait() {
        watch.beginVirtualWait();
        assertFalse(watch.hasOtherWaits());
        watch.beginVirtualWait();
        assertTrue(watch.hasOtherWaits());
        watch.endVirtualWait();
        assertFalse(watch.hasOtherWaits());
    }

    @Test
    void aThreadThatIsParkedOrWatchesIsAnotherWait() {
        watch.beginVirtualWait();
        Thread waiter = watch.enlist();
        assertTrue(watch.hasOtherWaits());
        watch.delist(waiter);
        assertFalse(watch.hasOtherWaits());
        assertTrue(watch.take());
        assertTrue(watch.hasOtherWaits());
        watch.endWait();
        assertFalse(watch.hasOtherWaits());
    }

    @Test
    void theEnginesThreadTakesACallOnce() {
        assertFalse(watch.takeCall());
        watch.callEngine();
        watch.callEngine();
        assertTrue(watch.takeCall());
        assertFalse(watch.takeCall());
    }

    @Test
    void theEnginesThreadIsNotCalledWhileAThreadWatches() {
        assertTrue(watch.take());
        watch.callEngine();
        assertFalse(watch.takeCall());
        watch.endWait();
        watch.callEngine();
        assertTrue(watch.takeCall());
    }
}
