package org.verbena.fabric.flow;

import java.util.List;

/** Compares the counts of credits at both ends of a cable. */
final class CreditAudit {
    private CreditAudit() {}

    /** Adds the lanes of a port whose credits are not right, in words. */
    static void audit(PortFlow from, List<String> wrong) {
        PortFlow to = from.peer;
        for (int number = 0; number < PortFlow.MANAGEMENT_LANE && to != null; number++) {
            Lane own = from.laneIfUsed(number);
            Lane other = to.laneIfUsed(number);
            if (own != null && other != null) {
                audit(own, other, wrong);
            }
        }
    }

    private static void audit(Lane own, Lane other, List<String> wrong) {
        if (own.sent != other.received) {
            wrong.add(own + ": " + own.sent + " blocks sent, " + other.received + " received by " + other);
        }
        int untold = other.limitForPeer() - own.limit & Lane.WRAP_MASK;
        if (own.credits() + untold + other.used != other.capacity) {
            wrong.add(own + ": " + own.credits() + " credits, " + untold + " free and not told, " + other.used
                    + " used, of " + other.capacity + " blocks of " + other);
        }
    }
}
