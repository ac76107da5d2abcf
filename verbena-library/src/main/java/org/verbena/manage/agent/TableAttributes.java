package org.verbena.manage.agent;

import static org.verbena.wire.subnet.Smp.DATA;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.verbena.wire.subnet.ArbitrationTable;
import org.verbena.wire.subnet.LaneMapping;
import org.verbena.wire.subnet.PartitionTable;
import org.verbena.wire.subnet.Smp;

/** Tables of ports: partitions, lanes of service levels, arbitration. Each method answers with a status. */
final class TableAttributes {
    private TableAttributes() {}

    static int partitions(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int port = node.isSwitch() ? modifier >>> 16 : arrival;
        int first = (modifier & 0xffff) * PartitionTable.ENTRIES;
        if (port > node.portCount() || first >= node.port(port).partitionCap) {
            return Smp.STATUS_BAD_VALUE;
        }
        for (int entry = 0; entry < PartitionTable.ENTRIES; entry++) {
            PartitionTable.key(mad, DATA, entry, node.port(port).partition(first + entry));
        }
        return Smp.STATUS_GOOD;
    }

    static int setPartitions(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int number = node.isSwitch() ? modifier >>> 16 : arrival;
        int first = (modifier & 0xffff) * PartitionTable.ENTRIES;
        if (number > node.portCount() || first >= node.port(number).partitionCap) {
            return Smp.STATUS_BAD_VALUE;
        }
        ManagedPort port = node.port(number);
        short[] table = Arrays.copyOf(port.partitions, port.partitionCap);
        for (int entry = 0; entry < PartitionTable.ENTRIES && first + entry < table.length; entry++) {
            table[first + entry] = (short) PartitionTable.key(mad, DATA, entry);
        }
        int used = table.length;
        while (used > 0 && table[used - 1] == 0) {
            used--;
        }
        port.partitions = Arrays.copyOf(table, used);
        node.hardware.onPortSettings(port);
        return partitions(node, arrival, modifier, mad);
    }

    static int lanes(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int input = node.isSwitch() ? modifier >>> 8 & 0xff : 0;
        int output = node.isSwitch() ? modifier & 0xff : arrival;
        if (input > node.portCount() || output > node.portCount()) {
            return Smp.STATUS_BAD_VALUE;
        }
        NodeAttributes.clear(mad);
        LaneMapping.write(mad, DATA, node.port(output).laneTable(input));
        return Smp.STATUS_GOOD;
    }

    static int setLanes(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int input = node.isSwitch() ? modifier >>> 8 & 0xff : 0;
        int output = node.isSwitch() ? modifier & 0xff : arrival;
        if (input > node.portCount() || output > node.portCount()) {
            return Smp.STATUS_BAD_VALUE;
        }
        boolean allOutputs = node.isSwitch() && (modifier & LaneMapping.ALL_OUTPUTS) != 0;
        boolean allInputs = node.isSwitch() && (modifier & LaneMapping.ALL_INPUTS) != 0;
        long table = LaneMapping.read(mad, DATA);
        for (int number = allOutputs ? 0 : output; number <= (allOutputs ? node.portCount() : output); number++) {
            long[] tables = node.port(number).growLaneTables();
            if (allInputs) {
                Arrays.fill(tables, table);
            } else {
                tables[input] = table;
            }
            node.hardware.onPortSettings(node.port(number));
        }
        return lanes(node, arrival, modifier, mad);
    }

    static int arbitration(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int number = node.isSwitch() ? modifier & 0xffff : arrival;
        int block = modifier >>> 16;
        if (isBeyondArbitration(node, number, block)) {
            return Smp.STATUS_BAD_VALUE;
        }
        ManagedPort port = node.port(number);
        byte[] table = block >= ArbitrationTable.HIGH ? port.highArbitration() : port.lowArbitration();
        int first = firstEntry(block);
        NodeAttributes.clear(mad);
        for (int entry = 0; entry < ArbitrationTable.ENTRIES && first + entry < port.arbitrationCap; entry++) {
            int at = 2 * (first + entry);
            ArbitrationTable.entry(mad, DATA, entry, table[at], table[at + 1]);
        }
        return Smp.STATUS_GOOD;
    }

    static int setArbitration(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int number = node.isSwitch() ? modifier & 0xffff : arrival;
        int block = modifier >>> 16;
        if (isBeyondArbitration(node, number, block)) {
            return Smp.STATUS_BAD_VALUE;
        }
        ManagedPort port = node.port(number);
        byte[] table = port.growArbitration(block >= ArbitrationTable.HIGH);
        int first = firstEntry(block);
        for (int entry = 0; entry < ArbitrationTable.ENTRIES && first + entry < port.arbitrationCap; entry++) {
            int at = 2 * (first + entry);
            table[at] = (byte) ArbitrationTable.lane(mad, DATA, entry);
            table[at + 1] = (byte) ArbitrationTable.weight(mad, DATA, entry);
        }
        node.hardware.onPortSettings(port);
        return arbitration(node, arrival, modifier, mad);
    }

    private static boolean isBeyondArbitration(ManagedNode node, int number, int block) {
        return number > node.portCount()
                || block < ArbitrationTable.LOW
                || block > ArbitrationTable.HIGH + 1
                || firstEntry(block) >= node.port(number).arbitrationCap;
    }

    /** The blocks of a table are numbered in pairs: the first begins at entry 0. */
    private static int firstEntry(int block) {
        return (block & 1) != 0 ? 0 : ArbitrationTable.ENTRIES;
    }
}
