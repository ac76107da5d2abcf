package org.verbena.manage.agent;

import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;

/** Writes registers as a subnet manager has them written, without its datagrams. */
public final class Registers {
    private static final int MULTICAST_FIRST = 0xc000;
    private static final int FOR_EVER = 20;

    private Registers() {}

    /** Gives a port its identifiers. */
    public static void lid(ManagedPort port, int lid, int lmc) {
        port.lid = lid;
        port.lmc = lmc;
        port.node().hardware.onPortSettings(port);
    }

    /** Gives a port the prefix of its subnet. */
    public static void prefix(ManagedPort port, long prefix) {
        port.gidPrefix = prefix;
    }

    /** Gives a port its partition keys. */
    public static void partitions(ManagedPort port, int... keys) {
        short[] table = new short[keys.length];
        for (int i = 0; i < keys.length; i++) {
            table[i] = (short) keys[i];
        }
        port.partitions = table;
    }

    /** Gives a cabled port the code of its MTU, 1 … 5, lets packets wait there for ever, and takes it to a state. */
    public static void state(ManagedPort port, int mtu, PortState state) {
        port.neighborMtu = mtu;
        port.headOfQueueLife = FOR_EVER;
        port.physicalState = PhysicalState.LINK_UP;
        port.state = state;
        port.node().hardware.onPortState(port);
    }

    /** Packets to this identifier leave a switch by this port. */
    public static void linear(ManagedNode node, int lid, int port) {
        node.growLinear(lid);
        node.linear[lid] = (byte) port;
        node.linearTop = Math.max(node.linearTop, lid);
    }

    /** Packets to this multicast identifier leave a switch by this port, and by those named before. */
    public static void multicast(ManagedNode node, int lid, int port) {
        node.growMulticast(lid - MULTICAST_FIRST)[port >>> 6] |= 1L << port;
    }

    /** Packets that the port refused for their partition keys. */
    public static int partitionViolations(ManagedPort port) {
        return port.partitionViolations;
    }
}
