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
        return region.currentIo().completeQuiesce();
    }

    /** Valid again. */
    public static boolean resume(Region region) {
        return region.currentIo().resume();
    }
}
