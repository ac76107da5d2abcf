package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import org.verbena.wire.subnet.Smp;
import org.verbena.wire.subnet.SwitchInfo;

/** Reads or writes SwitchInfo of all switches: the bit of changes, the top of the forwarding table. */
final class SwitchPhase implements SweepPhase {
    private static final int LIFE_TIME = 18;

    private final Iterator<KnownNode> switches;
    private final int top;
    private final SweepProblems problems;

    private SwitchPhase(List<KnownNode> switches, int top, SweepProblems problems) {
        this.switches = switches.iterator();
        this.top = top;
        this.problems = problems;
    }

    /** Clears the bit of changes where it is set: a change from now on counts. */
    static SwitchPhase clearChanges(List<KnownNode> switches, SweepProblems problems) {
        return new SwitchPhase(switches, -1, problems);
    }

    /** Writes the highest local identifier that is forwarded. */
    static SwitchPhase setTop(List<KnownNode> switches, int top, SweepProblems problems) {
        return new SwitchPhase(switches, top, problems);
    }

    @Override
    public boolean next(SmpSlot slot) {
        while (switches.hasNext()) {
            KnownNode node = switches.next();
            boolean changes = SwitchInfo.PORT_STATE_CHANGE.read(node.registers, 0) != 0;
            boolean wanted = top < 0
                    ? changes
                    : SwitchInfo.LINEAR_TOP.read(node.registers, 0) != top
                            || SwitchInfo.LIFE_TIME.read(node.registers, 0) != LIFE_TIME;
            if (wanted) {
                slot.request(Smp.METHOD_SET, node.route, SwitchInfo.ATTRIBUTE, 0);
                MemorySegment.copy(node.registers, 0, slot.mad, Smp.DATA, node.registers.byteSize());
                // Written as 1 the bit is cleared; a change between reading and writing must not be lost.
                SwitchInfo.PORT_STATE_CHANGE.write(slot.mad, Smp.DATA, top < 0 ? 1 : 0);
                if (top >= 0) {
                    SwitchInfo.LINEAR_TOP.write(slot.mad, Smp.DATA, top);
                    SwitchInfo.LIFE_TIME.write(slot.mad, Smp.DATA, LIFE_TIME);
                }
                slot.node = node;
                return true;
            }
        }
        return false;
    }

    @Override
    public void onAnswer(SmpSlot slot, MemorySegment answer) {
        KnownNode node = slot.node;
        if (node != null) {
            MemorySegment.copy(answer, Smp.DATA, node.registers, 0, node.registers.byteSize());
        }
    }

    @Override
    public void onFailure(SmpSlot slot, int status) {
        problems.failed(slot, status);
    }
}
