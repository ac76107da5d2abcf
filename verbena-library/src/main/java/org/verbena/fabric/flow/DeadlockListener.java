package org.verbena.fabric.flow;

import java.util.List;
import org.verbena.manage.agent.ManagedPort;

/** Told of deadlocks. */
@FunctionalInterface
public interface DeadlockListener {
    /**
     * Lanes wait for each other, the last for the first.
     *
     * @param ports the ports whose packets cannot leave
     * @param lanes their lanes, in the same order
     */
    void onDeadlock(long nowNs, List<ManagedPort> ports, List<Integer> lanes);
}
