package org.verbena.bench.figures;

import org.verbena.fabric.Fabric;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;

/** Brings subnets of a fabric in virtual time up. */
final class FabricSweep {
    private FabricSweep() {}

    /** Starts a manager at a node and lets it sweep until it is done. */
    static SubnetManager bringUp(Fabric fabric, String node, ManagerOptions options) {
        SubnetManager manager = fabric.manage(fabric.node(node).endPort(1), options);
        while (!manager.isSettled()) {
            long next = fabric.nextEventNs();
            if (next == Long.MAX_VALUE) {
                throw new MeasurementException("the manager has nothing to wait for: " + manager.problems());
            }
            fabric.run(next);
        }
        if (!manager.problems().isEmpty()) {
            throw new MeasurementException("problems of the sweep: " + manager.problems());
        }
        return manager;
    }
}
