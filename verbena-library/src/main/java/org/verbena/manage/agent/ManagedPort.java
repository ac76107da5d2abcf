package org.verbena.manage.agent;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.LaneMapping;
import org.verbena.wire.subnet.PortInfo;

/** The registers of one port. The agents write them, the data path reads them. */
public final class ManagedPort {
    /** Tables of arbitration have entries of two bytes: lane, weight. */
    static final int ARBITRATION_BYTES = 128;
    /** Exponents of times above this are for ever. */
    static final int LIFE_MAX = 19;
    /** Unit of times that are powers of two. */
    static final long TIME_UNIT_NS = 4096;

    static final long DEFAULT_PREFIX = 0xfe80_0000_0000_0000L;

    private static final short[] DEFAULT_PARTITIONS = {(short) 0xffff};
    private static final byte[] DEFAULT_HIGH = PortDefaults.arbitration(true);
    private static final byte[] DEFAULT_LOW = PortDefaults.arbitration(false);

    private final ManagedNode node;
    private final int number;
    private final long guid;
    private final PortCounters counters = new PortCounters();
    private @Nullable ManagedPort peer;

    PortState state = PortState.DOWN;
    PhysicalState physicalState = PhysicalState.POLLING;
    int linkDownDefault = PhysicalState.POLLING.code();

    LinkRates rates = LinkRates.DEFAULT;
    int widthEnabled = rates.widthEnabled();
    int speedEnabled = rates.speedEnabled();
    int extendedEnabled = rates.extendedEnabled();
    boolean fdr10Enabled;
    LinkWidth width = LinkWidth.X4;
    LinkSpeed speed = LinkSpeed.SDR;
    /** The bit of the speed that is not extended, which a link of an extended speed has too. */
    int speedActive = LinkSpeed.SDR.bit();

    long managementKey;
    int keyProtection;
    int keyLeasePeriod;
    /** When the protection by the key lapses; {@link Long#MAX_VALUE}: the lease does not run. */
    long leaseEndNs = Long.MAX_VALUE;

    long gidPrefix = DEFAULT_PREFIX;
    int lid;
    int lmc;
    int managerLid;
    int managerServiceLevel;
    int capabilityMask;
    int capabilityMask2;
    int subnetTimeout;
    int responseTime;
    int multicastTrapSuppression;
    int guidCap;
    int initType;

    /** Code of the MTU, 1 … 5. */
    int neighborMtu;

    int mtuCap;
    /** Code of the number of lanes, 1 … 5. */
    int operationalLanes;

    int laneCap;
    int arbitrationCap;

    int highLimit;
    int headOfQueueLife;
    int laneStallCount;
    int enforcement;
    int errorThresholds;
    /** Whether management has given the thresholds other values than they had: before that no error has the link trained. */
    boolean limitsErrors;

    int maxCreditHint;
    int linkRoundTrip;
    int keyViolations;
    int partitionViolations;
    int qkeyViolations;
    int partitionCap;
    boolean led;
    /** Changes with each notice that leaves the queue. */
    int noticeToggle;

    short[] partitions = DEFAULT_PARTITIONS;
    /** GUIDs from index 1 on; null: none has been written. */
    long @Nullable [] guids;

    /** The lanes of the service levels by input port, one table at end nodes; null: {@link #spreadLanes}. */
    long @Nullable [] laneTables;

    private long spreadLanes;
    /** The low and the high table; null: management has not written them. */
    private byte @Nullable [][] ownArbitration;

    ManagedPort(ManagedNode node, int number, long guid, Conduct conduct) {
        this.node = node;
        this.number = number;
        this.guid = guid;
        PortDefaults.apply(this, conduct);
        operationalLanes(laneCap);
    }

    public ManagedNode node() {
        return node;
    }

    /** Number of the port in its node. */
    public int number() {
        return number;
    }

    public long guid() {
        return guid;
    }

    /** Whether a GUID is one of the port's: the first, or one that management has added. */
    public boolean hasGuid(long other) {
        if (other == guid) {
            return true;
        }
        long[] added = guids;
        if (added != null) {
            for (long one : added) {
                if (one == other && one != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The port at the other end of the cable; null without a cable. */
    public @Nullable ManagedPort peer() {
        return peer;
    }

    public PortState state() {
        return state;
    }

    public PhysicalState physicalState() {
        return physicalState;
    }

    /** Whether the port ends a cable of a link that is trained; of port 0 of a switch always. */
    public boolean isUp() {
        return physicalState == PhysicalState.LINK_UP;
    }

    /** Whether the port has identifiers: a port of an end node, or port 0 of a switch. */
    public boolean isEnd() {
        return number == 0 || !node.isSwitch();
    }

    /** The width that the ends of the link agreed on; of a port that is down the last one. */
    public LinkWidth width() {
        return width;
    }

    /** The speed that the ends of the link agreed on; of a port that is down the last one. */
    public LinkSpeed speed() {
        return speed;
    }

    /** Sets the widths and speeds of a port. They count when the link is trained the next time. */
    public void rates(LinkRates all) {
        rates = all;
        widthEnabled = all.widthEnabled();
        speedEnabled = all.speedEnabled();
        extendedEnabled = all.extendedEnabled();
        fdr10Enabled = all.fdr10();
    }

    public long gidPrefix() {
        return gidPrefix;
    }

    /** The first local identifier; 0 if there is none yet. */
    public int lid() {
        return lid;
    }

    /** Sets the identifiers that a port has before management writes them; {@code first} is a multiple of 2^LMC. */
    public void identify(int first, int mask) {
        lid = first;
        lmc = mask;
    }

    /** Whether this is one of the port's 2^LMC local identifiers. */
    public boolean owns(int other) {
        return lid != 0 && other >>> lmc == lid >>> lmc;
    }

    public int lmc() {
        return lmc;
    }

    /** The local identifier of the subnet manager; 0 if there is none yet. */
    public int managerLid() {
        return managerLid;
    }

    /** The service level of datagrams to the subnet manager's services. */
    public int managerServiceLevel() {
        return managerServiceLevel;
    }

    /** The capability mask of PortInfo. */
    public int capabilityMask() {
        return capabilityMask;
    }

    /** Whether a subnet manager is at the port. */
    public boolean hasManager() {
        return (capabilityMask & PortInfo.CAPABILITY_MANAGER) != 0;
    }

    /** Bits of packets per second. */
    public long bitsPerSecond() {
        return width.lanes() * speed.bitsPerSecond();
    }

    /** Longest payload of a packet on the link, in bytes. */
    public int mtu() {
        return 128 << neighborMtu;
    }

    /** Lanes for data: 1, 2, 4, 8 or 15. */
    public int lanes() {
        return operationalLanes == 5 ? 15 : 1 << (operationalLanes - 1);
    }

    /** The lane of a packet with this service level that came in by this port (0 if it is the node's own); 15: the packet is dropped. */
    public int laneOf(int serviceLevel, int inputPort) {
        long[] tables = laneTables;
        long table = tables == null ? spreadLanes : tables[inputPort < tables.length ? inputPort : 0];
        return LaneMapping.lane(table, serviceLevel);
    }

    /** Entries of the high table, pairs of lane and weight in units of 64 bytes. The caller does not write. */
    public byte[] highArbitration() {
        return ownArbitration == null ? DEFAULT_HIGH : ownArbitration[1];
    }

    /** Entries of the low table. The caller does not write. */
    public byte[] lowArbitration() {
        return ownArbitration == null ? DEFAULT_LOW : ownArbitration[0];
    }

    /** Units of 4096 bytes of the high table before the low table gets a packet; 255: no limit. */
    public int highLimit() {
        return highLimit;
    }

    /**
     * How long a packet waits at the head of its lane before it is dropped, in ns; {@link Long#MAX_VALUE}: for ever, as at the ports of end
     * nodes.
     */
    public long headOfQueueLifeNs() {
        return headOfQueueLife > LIFE_MAX || isEnd() ? Long.MAX_VALUE : TIME_UNIT_NS << headOfQueueLife;
    }

    /** How many packets in a row are dropped at the head of a lane before the lane is stalled; 0 is undefined in the specification, and counts as 1 here. */
    public int laneStallCount() {
        return laneStallCount;
    }

    /** Writes LocalPhyErrors and OverrunErrors. A manager that writes back what it has read sets no limits. */
    void errorThresholds(int value) {
        limitsErrors |= value != errorThresholds;
        errorThresholds = value;
    }

    /**
     * Damaged packets, good ones taken off, above which the link is trained again: LocalPhyErrors; {@link Integer#MAX_VALUE} before management has given it
     * another value.
     */
    public int damageThreshold() {
        return limitsErrors ? errorThresholds >>> 4 : Integer.MAX_VALUE;
    }

    /**
     * Periods of flow control in a row with an overrun of a buffer after which the link is trained again: OverrunErrors; {@link Integer#MAX_VALUE} before
     * management has given it another value.
     */
    public int overrunThreshold() {
        return limitsErrors ? errorThresholds & 0xf : Integer.MAX_VALUE;
    }

    /** The GUIDs that management has added, 0: none at that place; null if there are none. The caller does not write. */
    public long @Nullable [] addedGuids() {
        return guids;
    }

    /** Whether packets that come in are checked for their partition. */
    public boolean enforcesInbound() {
        return (enforcement & 8) != 0;
    }

    /** Whether packets that go out are checked for their partition. */
    public boolean enforcesOutbound() {
        return (enforcement & 4) != 0;
    }

    /** Whether raw packets that come in are dropped. */
    public boolean filtersRawInbound() {
        return (enforcement & 2) != 0;
    }

    /** Whether raw packets that go out are dropped. */
    public boolean filtersRawOutbound() {
        return (enforcement & 1) != 0;
    }

    /** Whether the port is a member of a key's partition, full or limited: the test of a switch. */
    public boolean isMember(int pkey) {
        for (short own : partitions) {
            if (own != 0 && ((own ^ pkey) & 0x7fff) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether the port's table has this very key: packets with it may leave an end node. */
    public boolean hasKey(int pkey) {
        for (short own : partitions) {
            if (own != 0 && (own & 0xffff) == pkey) {
                return true;
            }
        }
        return false;
    }

    /** Whether an end node takes a packet with this partition key: the port is a member, and one of both keys is a full member's. */
    public boolean admits(int pkey) {
        for (short own : partitions) {
            if (((own ^ pkey) & 0x7fff) == 0 && ((own | pkey) & 0x8000) != 0 && (own & 0x7fff) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Entries of the port's table of partition keys. */
    public int partitionCount() {
        return partitions.length;
    }

    /** The partition key at an index of the table; 0: none. */
    public int partition(int index) {
        return index < partitions.length ? partitions[index] & 0xffff : 0;
    }

    public PortCounters counters() {
        return counters;
    }

    /** A cable connects this port and another; null: it is pulled. Changes no state. */
    void connect(@Nullable ManagedPort other) {
        peer = other;
    }

    /** Writes the code of the number of lanes, 1 … 5. */
    void operationalLanes(int code) {
        operationalLanes = code;
        spreadLanes = LaneMapping.spread(lanes());
    }

    /** The lanes of the service levels of packets that came in by this port. */
    long laneTable(int inputPort) {
        long[] tables = laneTables;
        if (tables != null) {
            return tables[inputPort];
        }
        return node.isLikeIbsim() ? PortDefaults.IBSIM_LANES : spreadLanes;
    }

    /** The tables of lanes to write. */
    long[] growLaneTables() {
        long[] tables = laneTables;
        if (tables == null) {
            tables = new long[node.isSwitch() ? node.portCount() + 1 : 1];
            Arrays.fill(tables, spreadLanes);
            laneTables = tables;
        }
        return tables;
    }

    /** A table of arbitration to write. */
    byte[] growArbitration(boolean high) {
        if (ownArbitration == null) {
            ownArbitration = new byte[][] {DEFAULT_LOW.clone(), DEFAULT_HIGH.clone()};
        }
        return ownArbitration[high ? 1 : 0];
    }

    @Override
    public String toString() {
        return node.name() + "[" + number + "]";
    }
}
