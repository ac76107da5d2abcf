package org.verbena.manage.agent;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.NodeKind;
import org.verbena.wire.subnet.MulticastBlock;

/** The registers of one node: the ports, and for a switch the forwarding tables. */
public final class ManagedNode {
    /** Entry of a linear table: packets are dropped. */
    public static final int NO_PORT = 0xff;

    private static final long[] NO_PORTS = {};

    private final NodeProfile profile;
    private final byte[] description;
    private final ManagedPort[] ports;

    NodeHardware hardware = NodeHardware.NONE;

    @Nullable
    TrapSender traps;

    int linearTop;
    int defaultPort;
    int defaultMulticastPrimary;
    int defaultMulticastNotPrimary;
    int lifeTime;
    /** Whether management has given the lifetime another value than it had: before that it limits nothing. */
    boolean limitsLife;

    boolean portStateChange;
    byte[] linear = {};
    /** By multicast identifier from 0xC000 on: the ports as bits; null: none. */
    long[] @Nullable [] multicast = {};

    /** A node whose ports are numbered 1 … {@code portCount}; a switch has port 0 too. No port has a cable. */
    public ManagedNode(NodeProfile profile) {
        this.profile = profile;
        this.description = profile.description().getBytes(StandardCharsets.UTF_8);
        this.ports = new ManagedPort[profile.portCount() + 1];
        for (int number = 0; number < ports.length; number++) {
            // A switch has one GUID for all its ports; port 0 of an end node is no port.
            long guid = isSwitch() ? guid() : guid() + number;
            ports[number] =
                    new ManagedPort(this, number, profile.portGuids().getOrDefault(number, guid), profile.conduct());
        }
    }

    /** A node with the usual profile. */
    public ManagedNode(NodeKind kind, String name, long guid, int portCount) {
        this(NodeProfile.of(kind, name, guid, portCount));
    }

    public NodeProfile profile() {
        return profile;
    }

    public NodeKind kind() {
        return profile.kind();
    }

    public boolean isSwitch() {
        return profile.kind() == NodeKind.SWITCH;
    }

    /** Its name in the topology. */
    public String name() {
        return profile.name();
    }

    public String description() {
        return profile.description();
    }

    public long guid() {
        return profile.guid();
    }

    /** Ports without port 0. */
    public int portCount() {
        return ports.length - 1;
    }

    /** The port with this number; 0 only of a switch. */
    public ManagedPort port(int number) {
        return ports[number];
    }

    /** The port whose registers are the node's for packets that come to this port: port 0 of a switch, else that port. */
    public ManagedPort endPort(int arrival) {
        return ports[isSwitch() ? 0 : arrival];
    }

    /** The data path that is told of changes; before the first call there is none. */
    public void hardware(NodeHardware path) {
        hardware = path;
    }

    /** Repeats this node's traps until they are repressed; null: a trap is sent once. */
    public void traps(@Nullable TrapSender sender) {
        traps = sender;
    }

    /** The output port of packets to this local identifier; {@link #NO_PORT}: they are dropped. */
    public int outputTo(int lid) {
        if (lid > linearTop || lid >= linear.length) {
            return NO_PORT;
        }
        int port = linear[lid] & 0xff;
        return port < ports.length ? port : NO_PORT;
    }

    /** Whether packets to this multicast identifier leave by this port. */
    public boolean multicastTo(int lid, int port) {
        long[] words = multicastPorts(lid);
        return port >>> 6 < words.length && (words[port >>> 6] >>> port & 1) != 0;
    }

    /**
     * The output ports of packets to a multicast identifier: bit n of word w is port 64 w + n. Empty if there are none; only ports of the node
     * are set. The caller does not write.
     */
    public long[] multicastPorts(int lid) {
        int index = lid - MulticastBlock.FIRST_LID;
        if (index < 0 || index >= multicast.length) {
            return NO_PORTS;
        }
        long[] words = multicast[index];
        return words == null ? NO_PORTS : words;
    }

    /** Writes LifeTimeValue. A manager that writes back what it has read sets no limit. */
    void lifeTime(int value) {
        limitsLife |= value != lifeTime;
        lifeTime = value;
    }

    /**
     * The output port of packets to a multicast identifier behind the end of the table: the primary one, or the other for packets that came in by it; 0:
     * they are dropped.
     */
    public int defaultMulticastTo(int lid, int inputPort) {
        if (lid - MulticastBlock.FIRST_LID < profile.multicastCap()) {
            return 0;
        }
        int port = inputPort == defaultMulticastPrimary ? defaultMulticastNotPrimary : defaultMulticastPrimary;
        return port < ports.length && port != inputPort ? port : 0;
    }

    /** How long a packet may stay in the switch, in ns; {@link Long#MAX_VALUE}: for ever, as before management has given LifeTimeValue another value. */
    public long lifeTimeNs() {
        return !limitsLife || lifeTime > ManagedPort.LIFE_MAX ? Long.MAX_VALUE : ManagedPort.TIME_UNIT_NS << lifeTime;
    }

    /** Whether a port has changed its state since the subnet manager looked. */
    public boolean portStateChange() {
        return portStateChange;
    }

    byte[] descriptionBytes() {
        return description;
    }

    boolean isLikeIbsim() {
        return profile.conduct() == Conduct.IBSIM;
    }

    /** Room for linear entries up to this local identifier, new ones {@link #NO_PORT}. */
    void growLinear(int lid) {
        if (lid >= linear.length) {
            int old = linear.length;
            int wanted = Math.max((lid | 63) + 1, Math.min(old + old / 2, profile.linearCap()));
            linear = Arrays.copyOf(linear, wanted);
            Arrays.fill(linear, old, linear.length, (byte) NO_PORT);
        }
    }

    /** The ports of a multicast identifier to write; the identifier is in range. */
    long[] growMulticast(int index) {
        if (index >= multicast.length) {
            multicast = Arrays.copyOf(multicast, (index | MulticastBlock.ENTRIES - 1) + 1);
        }
        long[] words = multicast[index];
        if (words == null) {
            words = new long[(ports.length + 63) / 64];
            multicast[index] = words;
        }
        return words;
    }

    @Override
    public String toString() {
        return name();
    }
}
