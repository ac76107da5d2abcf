package org.verbena.manage.manager;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A subnet as routing sees it: switches, the cables between them, and the end ports with their local identifiers. Immutable. Switches and end ports
 * have OpenSM's order: ascending GUIDs with their bytes reversed.
 */
public final class SubnetGraph {
    /** Highest unicast local identifier. */
    public static final int LID_MAX = 0xbfff;
    /** In place of a switch: none. */
    public static final int NONE = -1;

    /** OpenSM's order of GUIDs: it compares numbers in network byte order on a little-endian machine. */
    public static final Comparator<Long> GUID_ORDER =
            (one, other) -> Long.compareUnsigned(Long.reverseBytes(one), Long.reverseBytes(other));

    /**
     * A port with local identifiers: of an adapter or router, or port 0 of a switch.
     *
     * @param lid the first local identifier
     * @param lmc there are 2^LMC of them
     * @param switchIndex the switch at its cable, or the switch itself; {@link #NONE} without a switch
     * @param switchPort the port of that switch; 0: the switch itself
     */
    public record EndPort(long guid, int lid, int lmc, int switchIndex, int switchPort) {
        int lastLid() {
            return lid + (1 << lmc) - 1;
        }

        boolean isSwitch() {
            return switchIndex != NONE && switchPort == 0;
        }
    }

    private final long[] switchGuids;
    private final int[][] peerSwitches;
    private final int[][] peerPorts;
    private final List<EndPort> ends;
    private final int managerSwitch;
    private final int topLid;

    private SubnetGraph(
            long[] switchGuids, int[][] peerSwitches, int[][] peerPorts, List<EndPort> ends, int managerSwitch) {
        this.managerSwitch = managerSwitch;
        this.switchGuids = switchGuids;
        this.peerSwitches = peerSwitches;
        this.peerPorts = peerPorts;
        this.ends = ends;
        this.topLid = ends.stream().mapToInt(EndPort::lastLid).max().orElse(0);
    }

    public int switchCount() {
        return switchGuids.length;
    }

    public long switchGuid(int index) {
        return switchGuids[index];
    }

    /** Ports of a switch without port 0. */
    public int portCount(int index) {
        return peerSwitches[index].length - 1;
    }

    /** The switch at the other end of the cable in a port; {@link #NONE}: no cable, or an end node. */
    public int peerSwitch(int index, int port) {
        return peerSwitches[index][port];
    }

    /** The port at the other end of the cable to another switch. */
    public int peerPort(int index, int port) {
        return peerPorts[index][port];
    }

    int[] peers(int index) {
        return peerSwitches[index];
    }

    /** All end ports, switches' port 0 among them. */
    public List<EndPort> ends() {
        return ends;
    }

    /** The switch at the manager's port; {@link #NONE} if it is not known. */
    public int managerSwitch() {
        return managerSwitch;
    }

    /** The highest local identifier in use; 0: none. */
    public int topLid() {
        return topLid;
    }

    /** Collects switches, cables and end ports in any order. */
    public static final class Builder {
        private final List<Long> guids = new ArrayList<>();
        private final List<int[]> peers = new ArrayList<>();
        private final List<int[]> ports = new ArrayList<>();
        private final List<EndPort> ends = new ArrayList<>();
        private int manager = NONE;

        /** A graph without switches. */
        public Builder() {}

        /**
         * Adds a switch with its port 0.
         *
         * @param lid of port 0
         * @return its number in this builder
         */
        public int addSwitch(long guid, int portCount, int lid, int lmc) {
            int number = guids.size();
            guids.add(guid);
            int[] none = new int[portCount + 1];
            Arrays.fill(none, NONE);
            peers.add(none);
            ports.add(new int[portCount + 1]);
            ends.add(new EndPort(guid, lid, lmc, number, 0));
            return number;
        }

        /** Adds a cable between two switches. */
        public void connect(int one, int onePort, int other, int otherPort) {
            peers.get(one)[onePort] = other;
            ports.get(one)[onePort] = otherPort;
            peers.get(other)[otherPort] = one;
            ports.get(other)[otherPort] = onePort;
        }

        /** Adds the port of an end node; {@link #NONE} as its switch if there is none. */
        public void addEnd(long portGuid, int lid, int lmc, int switchNumber, int switchPort) {
            ends.add(new EndPort(portGuid, lid, lmc, switchNumber, switchPort));
        }

        /** The switch at the manager's port: its pairs get the first service level. */
        public void managerAt(int switchNumber) {
            manager = switchNumber;
        }

        /** The graph, sorted. */
        public SubnetGraph build() {
            int count = guids.size();
            List<Integer> order = new ArrayList<>();
            for (int number = 0; number < count; number++) {
                order.add(number);
            }
            order.sort(Comparator.comparing(guids::get, GUID_ORDER));
            int[] indexOf = new int[count];
            long[] sortedGuids = new long[count];
            for (int index = 0; index < count; index++) {
                indexOf[order.get(index)] = index;
                sortedGuids[index] = guids.get(order.get(index));
            }
            int[][] sortedPeers = new int[count][];
            int[][] sortedPorts = new int[count][];
            for (int index = 0; index < count; index++) {
                int[] old = peers.get(order.get(index));
                sortedPeers[index] = new int[old.length];
                for (int port = 0; port < old.length; port++) {
                    sortedPeers[index][port] = old[port] == NONE ? NONE : indexOf[old[port]];
                }
                sortedPorts[index] = ports.get(order.get(index)).clone();
            }
            List<EndPort> sortedEnds = ends.stream()
                    .map(end -> new EndPort(
                            end.guid(),
                            end.lid(),
                            end.lmc(),
                            end.switchIndex() == NONE ? NONE : indexOf[end.switchIndex()],
                            end.switchPort()))
                    .sorted(Comparator.comparing(EndPort::guid, GUID_ORDER))
                    .toList();
            return new SubnetGraph(
                    sortedGuids, sortedPeers, sortedPorts, sortedEnds, manager == NONE ? NONE : indexOf[manager]);
        }
    }
}
