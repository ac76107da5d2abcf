package org.verbena.tools.fabric;

import org.verbena.fabric.Fabric;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.tools.console.ToolException;

/** Brings a fabric up by Verbena's own subnet manager, in virtual time. */
final class OwnSweep {
    /** Virtual time that the managers get. */
    private static final long LIMIT_NS = 600_000_000_000L;

    private OwnSweep() {}

    /** Brings up every subnet of a fabric, each by a manager at its first node. */
    static void bringUp(Fabric fabric) {
        for (ManagedNode node : fabric.nodes()) {
            for (int number = 1; number <= node.portCount(); number++) {
                if (node.port(number).isUp() && node.endPort(number).managerLid() == 0) {
                    settle(fabric, fabric.manage(node.endPort(number), ManagerOptions.DEFAULT));
                }
            }
        }
    }

    private static void settle(Fabric fabric, SubnetManager manager) {
        while (!manager.isSettled()) {
            if (fabric.nextEventNs() >= LIMIT_NS) {
                throw new ToolException("the subnet did not come up; problems: " + manager.problems());
            }
            fabric.advance(fabric.nextEventNs());
        }
    }
}
