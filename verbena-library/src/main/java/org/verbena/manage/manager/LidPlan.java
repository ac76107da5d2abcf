package org.verbena.manage.manager;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.verbena.wire.subnet.PortInfo;

/**
 * Gives local identifiers and remembers them by port GUID. As OpenSM does it: the manager's port is the first, the others follow in the order of their
 * GUIDs; the identifiers of a port with several begin at a multiple of their number; a place that was passed is not used again in the same sweep.
 */
final class LidPlan {
    private final Map<Long, Integer> remembered = new HashMap<>();
    private final Map<Long, Integer> widths = new HashMap<>();

    /**
     * Gives identifiers to all ports.
     *
     * @param ends in the order in which they get them
     * @return ports that got none, because all are taken
     */
    int assign(List<KnownPort> ends, int lmc) {
        Set<Long> present = new HashSet<>();
        BitSet taken = new BitSet(SubnetGraph.LID_MAX + 1);
        for (KnownPort port : ends) {
            present.add(port.guid);
            port.lmc = port.node.isSwitch() ? 0 : lmc;
            port.lid = 0;
        }
        remembered.forEach((guid, lid) -> taken.set(lid, lid + widths.getOrDefault(guid, 1)));
        keep(ends, taken);
        int missing = give(ends, taken);
        if (missing > 0 && remembered.keySet().retainAll(present)) {
            // Only now the identifiers of ports that are gone are used again.
            return assign(ends, lmc);
        }
        return missing;
    }

    /** Ports keep what they had: from an earlier sweep, or from another manager. */
    private void keep(List<KnownPort> ends, BitSet taken) {
        for (KnownPort port : ends) {
            int width = 1 << port.lmc;
            Integer before = remembered.get(port.guid);
            if (before != null && widths.getOrDefault(port.guid, 0) == width) {
                port.lid = before;
                continue;
            }
            if (before != null) {
                taken.clear(before, before + widths.getOrDefault(port.guid, 1));
                remembered.remove(port.guid);
            }
            int own = PortInfo.LID.read(port.registers, 0);
            if (own > 0
                    && own % width == 0
                    && own + width - 1 <= SubnetGraph.LID_MAX
                    && taken.get(own, own + width).isEmpty()) {
                remember(port, own, taken);
            }
        }
    }

    private int give(List<KnownPort> ends, BitSet taken) {
        int missing = 0;
        int next = 1;
        for (KnownPort port : ends) {
            if (port.lid != 0) {
                continue;
            }
            int width = 1 << port.lmc;
            int lid = (next + width - 1) / width * width;
            while (lid + width - 1 <= SubnetGraph.LID_MAX
                    && !taken.get(lid, lid + width).isEmpty()) {
                lid += width;
            }
            if (lid + width - 1 > SubnetGraph.LID_MAX) {
                missing++;
                continue;
            }
            remember(port, lid, taken);
            next = lid + width;
        }
        return missing;
    }

    private void remember(KnownPort port, int lid, BitSet taken) {
        int width = 1 << port.lmc;
        port.lid = lid;
        remembered.put(port.guid, lid);
        widths.put(port.guid, width);
        taken.set(lid, lid + width);
    }
}
