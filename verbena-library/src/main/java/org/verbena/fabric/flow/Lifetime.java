package org.verbena.fabric.flow;

/** How long packets may stay in a switch (LifeTimeValue), and at the head of a lane (HOQLife). At end nodes both are unlimited. */
final class Lifetime {
    private Lifetime() {}

    /** Whether a packet has been in the node of a port as long as it may. The time begins with its last byte. */
    static boolean isOver(PortFlow port, Parcel parcel) {
        return port.flow.nowPs - parcel.tailPs >= port.node.lifetimePs;
    }

    /** How long a packet may wait at the head of a lane of a port. */
    static long atHeadPs(PortFlow port) {
        long lifeNs = port.node.isSwitch ? port.port.headOfQueueLifeNs() : Long.MAX_VALUE;
        return lifeNs >= Flow.NEVER_NS ? Long.MAX_VALUE : lifeNs * Flow.PS_PER_NS;
    }

    /** When a lane that waits for credits has to be looked at: one of the two times is over, or a deadlock may be found. */
    static long nextLookPs(PortFlow port, Lane lane, Parcel head) {
        long searchPs = port.flow.nowPs + Flow.BLOCKED_CHECK_PS;
        long headPs = end(lane.blockedSincePs, atHeadPs(port));
        return Math.min(searchPs, Math.min(headPs, end(head.tailPs, port.node.lifetimePs)));
    }

    private static long end(long sincePs, long lifePs) {
        return lifePs == Long.MAX_VALUE ? Long.MAX_VALUE : sincePs + lifePs;
    }
}
