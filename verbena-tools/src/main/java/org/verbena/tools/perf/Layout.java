package org.verbena.tools.perf;

/**
 * Where things are in the memory of an end; the same at both. First the source slots, which sends and writes are gathered
 * from, then the landing slots, which receives, writes, reads and atomics fill, and which the peer may reach.
 *
 * <p>Without verification everything uses one slot, over and over. With it every outstanding message has its own.
 */
final class Layout {
    /** Memory that one end may take. */
    static final long BYTES_MAX = 1L << 33;

    private static final int ALIGNMENT = 64;

    private final long size;
    private final long stride;
    private final int sourceSlots;
    private final int landingSlots;
    private final int receives;

    Layout(PerfPlan plan) {
        size = plan.size();
        stride = Math.max(ALIGNMENT, (size + ALIGNMENT - 1) & -ALIGNMENT);
        receives = plan.isLatency() ? 16 : plan.verify() ? 2 * plan.depth() : Math.max(64, 4 * plan.depth());
        if (plan.isLatency()) {
            // The slot of the message before may be wanted for a repetition still.
            sourceSlots = 2;
            landingSlots = 1;
        } else {
            sourceSlots = plan.verify() ? plan.depth() : 1;
            landingSlots = plan.verify() ? verifiedLandings(plan) : 1;
        }
    }

    /**
     * A multiple of the depth, so that requests repeat with it. A message with immediate may begin to land before it finds
     * that there is no receive for it: hence more slots than receives.
     */
    private int verifiedLandings(PerfPlan plan) {
        return switch (plan.operation()) {
            case SEND -> receives;
            case WRITE_IMM -> receives + plan.depth();
            case WRITE, READ, FETCH_ADD, COMPARE_SWAP -> plan.depth();
        };
    }

    /** Receives that a target keeps posted. */
    int receives() {
        return receives;
    }

    int sourceSlots() {
        return sourceSlots;
    }

    int landingSlots() {
        return landingSlots;
    }

    long size() {
        return size;
    }

    long source(long message) {
        return message % sourceSlots * stride;
    }

    long landing(long message) {
        return (sourceSlots + message % landingSlots) * stride;
    }

    /** Bytes in all. */
    long bytes() {
        return (sourceSlots + landingSlots) * stride;
    }
}
