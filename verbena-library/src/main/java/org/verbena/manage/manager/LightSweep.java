package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import org.verbena.wire.subnet.Smp;
import org.verbena.wire.subnet.SwitchInfo;

/** Reads SwitchInfo of all switches and finds out whether a port has changed its state. */
final class LightSweep implements SweepPhase {
    private final Iterator<KnownNode> switches;
    private boolean changed;

    LightSweep(List<KnownNode> switches) {
        this.switches = switches.iterator();
    }

    /** Whether a switch has seen a change, or does not answer. */
    boolean changed() {
        return changed;
    }

    @Override
    public boolean next(SmpSlot slot) {
        if (!switches.hasNext()) {
            return false;
        }
        KnownNode node = switches.next();
        slot.request(Smp.METHOD_GET, node.route, SwitchInfo.ATTRIBUTE, 0);
        slot.node = node;
        return true;
    }

    @Override
    public void onAnswer(SmpSlot slot, MemorySegment answer) {
        changed |= SwitchInfo.PORT_STATE_CHANGE.read(answer, Smp.DATA) != 0;
    }

    @Override
    public void onFailure(SmpSlot slot, int status) {
        changed = true;
    }
}
