package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import org.verbena.wire.subnet.ArbitrationTable;
import org.verbena.wire.subnet.LaneMapping;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** Writes arbitration and the lanes of service levels where routing needs more than one level, with OpenSM's default values. */
final class LanePhase implements SweepPhase {
    private static final int WEIGHT = 4;

    /** Tables of a port: arbitration low, arbitration high, then the mapping for each input. */
    private record Part(KnownPort port, int attribute, int modifier, int lanes) {}

    private final List<KnownPort> ports;
    private final SweepProblems problems;
    private final ArrayDeque<Part> parts = new ArrayDeque<>();
    private int at;

    LanePhase(List<KnownPort> ports, SweepProblems problems) {
        this.ports = ports;
        this.problems = problems;
    }

    @Override
    public boolean next(SmpSlot slot) {
        while (parts.isEmpty() && at < ports.size()) {
            addParts(ports.get(at++));
        }
        Part part = parts.poll();
        if (part == null) {
            return false;
        }
        slot.request(Smp.METHOD_SET, part.port.route, part.attribute, part.modifier);
        slot.node = part.port.node;
        slot.port = part.port;
        if (part.attribute == LaneMapping.ATTRIBUTE) {
            LaneMapping.write(slot.mad, Smp.DATA, LaneMapping.spread(part.lanes));
        } else {
            boolean high = part.modifier >>> 16 == ArbitrationTable.HIGH;
            for (int lane = 0; lane < part.lanes; lane++) {
                ArbitrationTable.entry(slot.mad, Smp.DATA, lane, lane, (lane == 0) == high ? WEIGHT : 0);
            }
        }
        return true;
    }

    private void addParts(KnownPort port) {
        int lanes = PortSettings.lanes(PortInfo.OPERATIONAL_LANES.read(port.registers, 0));
        boolean atSwitch = port.node.isSwitch();
        int number = atSwitch ? port.number : 0;
        if (port.number == 0) {
            return;
        }
        if (PortInfo.LOW_CAP.read(port.registers, 0) > 0) {
            parts.add(new Part(
                    port, ArbitrationTable.ATTRIBUTE, ArbitrationTable.modifier(ArbitrationTable.LOW, number), lanes));
        }
        if (PortInfo.HIGH_CAP.read(port.registers, 0) > 0) {
            parts.add(new Part(
                    port, ArbitrationTable.ATTRIBUTE, ArbitrationTable.modifier(ArbitrationTable.HIGH, number), lanes));
        }
        if (!atSwitch) {
            parts.add(new Part(port, LaneMapping.ATTRIBUTE, 0, lanes));
            return;
        }
        for (int input = 0; input <= port.node.portCount(); input++) {
            parts.add(new Part(port, LaneMapping.ATTRIBUTE, LaneMapping.modifier(input, port.number), lanes));
        }
    }

    @Override
    public void onAnswer(SmpSlot slot, MemorySegment answer) {}

    @Override
    public void onFailure(SmpSlot slot, int status) {
        problems.failed(slot, status);
    }
}
