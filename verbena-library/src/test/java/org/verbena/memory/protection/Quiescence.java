package org.verbena.memory.protection;

import org.verbena.memory.Region;

/** The hypervisor's part in quiescing a region, for tests of other packages. */
public final class Quiescence {
    private Quiescence() {}

    /** Asks for quiesce; false if it can't be. */
    public static boolean request(Region region) {
        return request(region, () -> {});
    }

    /** Asks for quiesce; false if it can't be. The action is told when nothing is under way. */
    public static boolean request(Region region, Runnable idle) {
        return TableRegion.of(region).currentIo().requestQuiesce(idle);
    }

    /** Makes the region invalid; false if something is under way. */
    public static boolean complete(Region region) {
        boolean complete = TableRegion.of(region).currentIo().clearValid();
        if (complete) {
            TableRegion.of(region).currentIo().awaitNobodyInside();
        }
        return complete;
    }

    /** Valid again. */
    public static boolean resume(Region region) {
        boolean resumed = TableRegion.of(region).currentIo().resumeQuietly();
        TableRegion.of(region).currentIo().wake();
        return resumed;
    }
}
