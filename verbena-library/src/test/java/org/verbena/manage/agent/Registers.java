package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.GuidInfo;
import org.verbena.wire.subnet.Smp;

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

    /** Writes the GUID at an index, as a Set of GUIDInfo does. */
    public static void guid(ManagedPort port, int index, long guid) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        NodeAttributes.guids(port, 0, mad);
        GuidInfo.guid(mad, Smp.DATA, index, guid);
        NodeAttributes.setGuids(port, 0, mad);
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

    /**
     * Gives a port its tables of arbitration: pairs of lane and weight in units of 64 bytes. The limit of the high table is in units of 4096 bytes.
     */
    public static void arbitration(ManagedPort port, int[] high, int[] low, int highLimit) {
        write(port.growArbitration(true), high);
        write(port.growArbitration(false), low);
        port.highLimit = highLimit;
        port.node().hardware.onPortSettings(port);
    }

    private static void write(byte[] table, int[] entries) {
        Arrays.fill(table, (byte) 0);
        for (int i = 0; i < entries.length; i++) {
            table[i] = (byte) entries[i];
        }
    }

    /** Gives a port the lane of a service level, for packets of its own and of every other port. */
    public static void lane(ManagedPort port, int serviceLevel, int lane) {
        long[] tables = port.growLaneTables();
        int shift = 60 - 4 * serviceLevel;
        for (int i = 0; i < tables.length; i++) {
            tables[i] = (tables[i] & ~(0xfL << shift)) | ((long) lane << shift);
        }
    }

    /** Gives a port the time that a packet waits at the head of a queue, as a code, and the packets in a row that make a lane stall. */
    public static void life(ManagedPort port, int code, int stallCount) {
        port.headOfQueueLife = code;
        port.laneStallCount = stallCount;
    }

    /** Asks the consumers of a port to register again. */
    public static void reregister(ManagedPort port) {
        port.node().hardware.onReregister(port);
    }

    /** Packets stay in a switch at most 4.096 µs × 2^{@code exponent}, and wait at the head of its queues for ever. */
    public static void lifeTime(ManagedNode node, int exponent) {
        node.lifeTime(exponent);
        for (int port = 1; port <= node.portCount(); port++) {
            node.port(port).headOfQueueLife = FOR_EVER;
        }
        node.hardware.onPortSettings(node.port(0));
    }

    /** Takes a port to a state, and nothing else. */
    public static void state(ManagedPort port, PortState state) {
        port.state = state;
        port.node().hardware.onPortState(port);
    }

    /** Gives a port its thresholds of damaged packets and of overruns, 0 … 15. */
    public static void thresholds(ManagedPort port, int damage, int overruns) {
        port.errorThresholds((damage << 4) | overruns);
    }

    /** A switch sends packets to multicast identifiers behind its table by these ports. */
    public static void defaultMulticast(ManagedNode node, int primary, int notPrimary) {
        node.defaultMulticastPrimary = primary;
        node.defaultMulticastNotPrimary = notPrimary;
    }

    /** Gives a port of a switch the checks that it makes: bits of PortInfo. */
    public static void enforcement(ManagedPort port, int bits) {
        port.enforcement = bits;
    }

    /** Gives a service level, of packets that came in by a port, its lane. */
    public static void lane(ManagedPort port, int serviceLevel, int inputPort, int lane) {
        int shift = 60 - 4 * serviceLevel;
        long[] tables = port.growLaneTables();
        tables[inputPort] = (tables[inputPort] & ~(0xfL << shift)) | ((long) lane << shift);
    }

    /** Packets that the port refused for their partition keys. */
    public static int partitionViolations(ManagedPort port) {
        return port.partitionViolations;
    }
}
