package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.Field;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.SwitchInfo;

/** The values that the manager writes to ports: those that OpenSM writes by default. */
final class PortSettings {
    private static final int SUBNET_TIMEOUT = 18;
    private static final int ERROR_THRESHOLDS = 0x88;
    private static final int LINK_DOWN_POLLING = 2;
    private static final int STALL_COUNT = 7;
    private static final int LIFE_TO_SWITCH = 0x12;
    private static final int LIFE_TO_END_NODE = 0x10;
    /** Partitions inbound and outbound. */
    private static final int ENFORCE_PARTITIONS = 0xc;

    private static final int[] LANE_CODES = {0, 1, 2, 4, 8, 15};

    private final ManagerOptions options;
    private final int managerLid;
    private final boolean first;

    /**
     * Settings.
     *
     * @param first whether every port is written, changed or not
     */
    PortSettings(ManagerOptions options, int managerLid, boolean first) {
        this.options = options;
        this.managerLid = managerLid;
        this.first = first;
    }

    /** Ports of switches at end nodes check partitions. */
    boolean enforcement(KnownPort port, MemorySegment to, long at) {
        KnownPort peer = port.peer;
        if (port.isEnd() || peer == null || peer.node.isSwitch()) {
            return false;
        }
        MemorySegment node = port.node.registers;
        boolean can = SwitchInfo.INBOUND_ENFORCEMENT_CAP.read(node, 0) != 0
                && SwitchInfo.OUTBOUND_ENFORCEMENT_CAP.read(node, 0) != 0
                && SwitchInfo.ENFORCEMENT_CAP.read(node, 0) > 0;
        return can && set(PortInfo.ENFORCEMENT, to, at, ENFORCE_PARTITIONS);
    }

    /** Local identifiers and what belongs to the subnet. */
    boolean identifiers(KnownPort port, MemorySegment to, long at) {
        if (port.lid == 0) {
            return false;
        }
        boolean changed = first;
        changed |= PortInfo.MANAGEMENT_KEY.read(to, at) != options.managementKey();
        PortInfo.MANAGEMENT_KEY.write(to, at, options.managementKey());
        changed |= PortInfo.GID_PREFIX.read(to, at) != options.subnetPrefix();
        PortInfo.GID_PREFIX.write(to, at, options.subnetPrefix());
        changed |= set(PortInfo.LID, to, at, port.lid);
        changed |= set(PortInfo.MANAGER_LID, to, at, managerLid);
        changed |= set(PortInfo.MANAGER_SERVICE_LEVEL, to, at, 0);
        changed |= set(PortInfo.LMC, to, at, port.lmc);
        changed |= set(PortInfo.SUBNET_TIMEOUT, to, at, SUBNET_TIMEOUT);
        changed |= set(PortInfo.LINK_DOWN_DEFAULT, to, at, LINK_DOWN_POLLING);
        changed |= common(port, to, at);
        return changed;
    }

    /** What both ends of a link must agree on, and times. */
    boolean link(KnownPort port, MemorySegment to, long at) {
        boolean changed = first;
        changed |= set(PortInfo.LINK_DOWN_DEFAULT, to, at, LINK_DOWN_POLLING);
        KnownPort peer = port.peer;
        if (port.isEnd()) {
            if (PortInfo.WIDTH_ENABLED.read(to, at) != PortInfo.WIDTH_SUPPORTED.read(to, at)) {
                PortInfo.WIDTH_ENABLED.write(to, at, PortInfo.WIDTH_ALL);
                changed = true;
            }
        } else {
            boolean toSwitch = peer != null && peer.node.isSwitch();
            changed |= set(PortInfo.HEAD_OF_QUEUE_LIFE, to, at, toSwitch ? LIFE_TO_SWITCH : LIFE_TO_END_NODE);
            changed |= set(PortInfo.LANE_STALL_COUNT, to, at, STALL_COUNT);
        }
        changed |= common(port, to, at);
        return changed;
    }

    private boolean common(KnownPort port, MemorySegment to, long at) {
        boolean changed = set(PortInfo.ERROR_THRESHOLDS, to, at, ERROR_THRESHOLDS);
        int mtu = PortInfo.MTU_CAP.read(to, at);
        int lanes = Math.min(PortInfo.LANE_CAP.read(to, at), laneCode(options.lanesMax()));
        KnownPort peer = port.peer;
        if (peer != null) {
            mtu = Math.min(mtu, PortInfo.MTU_CAP.read(peer.registers, 0));
            lanes = Math.min(lanes, PortInfo.LANE_CAP.read(peer.registers, 0));
        }
        if (mtu != 0) {
            changed |= set(PortInfo.NEIGHBOR_MTU, to, at, mtu);
        }
        if (lanes != 0 && port.number != 0) {
            changed |= set(PortInfo.OPERATIONAL_LANES, to, at, lanes);
        }
        return changed;
    }

    /** The code of the most lanes that are not more than these. */
    static int laneCode(int lanes) {
        int code = 1;
        while (code + 1 < LANE_CODES.length && LANE_CODES[code + 1] <= lanes) {
            code++;
        }
        return code;
    }

    /** Lanes of a code. */
    static int lanes(int code) {
        return code < 1 ? 1 : LANE_CODES[Math.min(code, LANE_CODES.length - 1)];
    }

    /** The next state of a link. */
    static boolean state(KnownPort port, PortState wanted, MemorySegment to, long at) {
        if (!port.isLinked() || port.state() >= wanted.code()) {
            return false;
        }
        PortInfo.STATE.write(to, at, wanted.code());
        return true;
    }

    /** The services of a host ask for their paths and join their groups again. */
    static boolean reregistration(KnownPort port, MemorySegment to, long at) {
        if (port.node.isSwitch()
                || !port.foundActive
                || (PortInfo.CAPABILITY_MASK.read(to, at) & PortInfo.CAPABILITY_REREGISTRATION) == 0) {
            return false;
        }
        PortInfo.CLIENT_REREGISTER.write(to, at, 1);
        return true;
    }

    private static boolean set(Field field, MemorySegment to, long at, int value) {
        boolean changed = field.read(to, at) != value;
        field.write(to, at, value);
        return changed;
    }
}
