package org.verbena.memory;

/** The hypervisor's part in quiescing a region, for tests of other packages. */
public final class Quiescence {
    private Quiescence() {}

    /** Asks for quiesce; false if it can't be. */
    public static boolean request(Region region) {
        return region.currentIo().requestQuiesce(() -> {});
    }

    /** Makes the region invalid; false if something is under way. */
    public static boolean complete(Region region) {
        boolean complete = region.currentIo().clearValid();
        if (complete) {
            region.currentIo().awaitNobodyInside();
        }
        return complete;
    }

    /** Valid again. */
    public static boolean resume(Region region) {
        boolean resumed = region.currentIo().resumeQuietly();
        region.currentIo().wake();
        return resumed;
    }
}
