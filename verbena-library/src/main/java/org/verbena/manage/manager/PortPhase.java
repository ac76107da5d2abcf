package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** A phase that writes PortInfo to ports, in an order, where it changes something. */
final class PortPhase implements SweepPhase {
    /** What to write. */
    interface Change {
        /**
         * Changes the registers of a port, in a copy. State and physical state are 0 there: no change.
         *
         * @return whether the copy has to be written
         */
        boolean apply(KnownPort port, MemorySegment registers, long at);
    }

    private final Iterator<KnownPort> ports;
    private final Change change;
    private final int modifierBits;
    private final SweepProblems problems;
    private final ArrayDeque<KnownPort> doubts = new ArrayDeque<>();

    PortPhase(List<KnownPort> ports, Change change, int modifierBits, SweepProblems problems) {
        this.ports = ports.iterator();
        this.change = change;
        this.modifierBits = modifierBits;
        this.problems = problems;
    }

    @Override
    public boolean next(SmpSlot slot) {
        KnownPort doubtful = doubts.poll();
        if (doubtful != null) {
            slot.request(Smp.METHOD_GET, doubtful.route, PortInfo.ATTRIBUTE, doubtful.number | modifierBits);
            slot.node = doubtful.node;
            slot.port = doubtful;
            return true;
        }
        while (ports.hasNext()) {
            KnownPort port = ports.next();
            slot.request(Smp.METHOD_SET, port.route, PortInfo.ATTRIBUTE, port.number | modifierBits);
            if (isWanted(port, slot.mad)) {
                slot.node = port.node;
                slot.port = port;
                return true;
            }
        }
        return false;
    }

    private boolean isWanted(KnownPort port, MemorySegment mad) {
        MemorySegment.copy(port.registers, 0, mad, Smp.DATA, PortInfo.LENGTH);
        PortInfo.STATE.write(mad, Smp.DATA, 0);
        PortInfo.PHYSICAL_STATE.write(mad, Smp.DATA, 0);
        PortInfo.CLIENT_REREGISTER.write(mad, Smp.DATA, 0);
        return change.apply(port, mad, Smp.DATA);
    }

    @Override
    public void onAnswer(SmpSlot slot, MemorySegment answer) {
        KnownPort port = slot.port;
        if (port != null) {
            MemorySegment.copy(answer, Smp.DATA, port.registers, 0, PortInfo.LENGTH);
            if (Smp.METHOD.read(slot.mad, 0) == Smp.METHOD_GET && isWanted(port, slot.mad)) {
                problems.failed(slot, Smp.STATUS_BAD_VALUE);
            }
        }
    }

    @Override
    public void onFailure(SmpSlot slot, int status) {
        // The first of several Sets may have been followed and only its answer lost: then the next are refused, as the
        // state is there already.
        if (status == Smp.STATUS_BAD_VALUE && slot.attempts > 1 && slot.port != null) {
            doubts.add(slot.port);
        } else {
            problems.failed(slot, status);
        }
    }
}
