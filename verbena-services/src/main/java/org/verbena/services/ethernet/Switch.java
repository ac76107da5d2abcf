package org.verbena.services.ethernet;

import java.util.Arrays;
import org.verbena.link.frame.EthernetHeader;

/**
 * Decides where frames go: between the LAN and hosts, and from host to host. Does no I/O.
 *
 * <p>A host has addresses, which no other host can take. It sends with these only, unless forged sources are allowed. The switch learns the places of other
 * addresses, per VLAN, from the sources of frames, and forgets them after {@link #AGE_NS}. A frame for an address of unknown place goes to the LAN. No frame goes back
 * to the port it came from.
 */
public final class Switch {
    /** The port of the LAN. Hosts have the ports from 1 on. */
    public static final int LAN = 0;
    /** Addresses of a host at most. */
    public static final int ADDRESSES_MAX = 16;
    /** Addresses that are learned from one host at most. */
    public static final int LEARNED_OF_HOST_MAX = 64;
    /** Addresses that are learned from the LAN at most. */
    public static final int LEARNED_OF_LAN_MAX = 2048;
    /** How long a learned address is remembered after its last frame. */
    public static final long AGE_NS = 300_000_000_000L;

    /** In place of a VLAN: the address is a host's own, in all VLANs. No frame has this VLAN. */
    private static final int OWNED = EthernetHeader.VLANS;

    private final SwitchPort[] ports;
    private final AddressTable table;
    private final boolean forged;
    private final Promiscuity promiscuity;
    private int portsUsed = 1;
    private int learnedOfLan;
    private long notLearned;

    /**
     * A switch without hosts.
     *
     * @param hostsMax hosts at most
     * @param forged whether hosts may send with sources that are not theirs; those of other hosts are refused all the same
     * @param promiscuity what hosts in promiscuous mode see
     * @param secret of the hash of addresses
     */
    public Switch(int hostsMax, boolean forged, Promiscuity promiscuity, long secret) {
        this.forged = forged;
        this.promiscuity = promiscuity;
        ports = new SwitchPort[hostsMax + 1];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = new SwitchPort();
        }
        int perHost = ADDRESSES_MAX + (forged ? LEARNED_OF_HOST_MAX : 0);
        table = new AddressTable(LEARNED_OF_LAN_MAX + hostsMax * perHost, secret);
    }

    /** Ports that there are at most, that of the LAN included. */
    public int portsMax() {
        return ports.length;
    }

    /**
     * Adds a host: without an address, with broadcast, all multicast and all VLANs.
     *
     * @return its port; −1 if there are too many
     */
    public int attach() {
        for (int port = 1; port < ports.length; port++) {
            if (!ports[port].attached) {
                ports[port].attached = true;
                ports[port].resetFilter();
                portsUsed = Math.max(portsUsed, port + 1);
                return port;
            }
        }
        return -1;
    }

    /** Forgets a host with all its addresses, and those that were learned from it. */
    public void detach(int port) {
        SwitchPort left = host(port);
        table.removePort(port);
        left.attached = false;
        left.addressCount = 0;
        left.learned = 0;
        while (portsUsed > 1 && !ports[portsUsed - 1].attached) {
            portsUsed--;
        }
    }

    private SwitchPort host(int port) {
        assert port > LAN && ports[port].attached : port;
        return ports[port];
    }

    /** Gives a host an address. */
    public AddressVerdict addAddress(int port, long address) {
        SwitchPort host = host(port);
        if (address == 0 || EthernetHeader.isGroup(address)) {
            return AddressVerdict.NO_STATION;
        }
        int owner = ownerOf(address);
        if (owner == port) {
            return AddressVerdict.TAKEN;
        }
        if (owner >= 0) {
            return AddressVerdict.OF_ANOTHER;
        }
        if (host.addressCount == ADDRESSES_MAX) {
            return AddressVerdict.TOO_MANY;
        }
        table.add(AddressTable.key(address, OWNED), port, Long.MAX_VALUE);
        host.addresses[host.addressCount++] = address;
        return AddressVerdict.TAKEN;
    }

    /**
     * Takes an address from a host.
     *
     * @return false if it does not have it
     */
    public boolean removeAddress(int port, long address) {
        SwitchPort host = host(port);
        for (int i = 0; i < host.addressCount; i++) {
            if (host.addresses[i] == address) {
                host.addresses[i] = host.addresses[--host.addressCount];
                table.remove(table.find(AddressTable.key(address, OWNED)));
                return true;
            }
        }
        return false;
    }

    /** The addresses of a host now. */
    public long[] addresses(int port) {
        return Arrays.copyOf(host(port).addresses, host(port).addressCount);
    }

    /** The port of the host that has an address; −1 if none has it. */
    public int ownerOf(long address) {
        int slot = table.find(AddressTable.key(address, OWNED));
        return slot < 0 ? -1 : table.port(slot);
    }

    /**
     * Sets the filters of a host.
     *
     * @param groups addresses of groups whose frames it wants
     * @param vlans its VLANs, 0 for frames without one; none: all frames
     */
    public void filter(
            int port, boolean promiscuous, boolean allMulticast, boolean broadcast, long[] groups, int[] vlans) {
        SwitchPort host = host(port);
        host.promiscuous = promiscuous;
        host.allMulticast = allMulticast;
        host.broadcast = broadcast;
        host.groups(groups);
        host.vlans(vlans);
    }

    /** Gives a host the filters that it had when it was attached. */
    public void resetFilter(int port) {
        host(port).resetFilter();
    }

    /**
     * Finds the ports that a frame goes to, and learns from it.
     *
     * @param from the port it came from
     * @param nowNs the time
     * @param into is filled with the ports; empty unless the frame is forwarded
     */
    public SwitchVerdict route(int from, EthernetHeader frame, long nowNs, PortSet into) {
        into.clear();
        long source = frame.source();
        if (source == 0 || EthernetHeader.isGroup(source)) {
            return SwitchVerdict.BAD_SOURCE;
        }
        if (from != LAN) {
            SwitchPort sender = host(from);
            if (!sender.hasAddress(source) && (!forged || ownerOf(source) >= 0)) {
                return SwitchVerdict.SPOOFED;
            }
            if (!sender.takesVlan(frame.vlan())) {
                return SwitchVerdict.WRONG_VLAN;
            }
        }
        learn(from, source, frame.vlan(), nowNs);
        if (EthernetHeader.isGroup(frame.destination())) {
            toGroup(from, frame, into);
        } else {
            toStation(from, frame, nowNs, into);
        }
        return SwitchVerdict.FORWARDED;
    }

    private void learn(int from, long source, int vlan, long nowNs) {
        if (ownerOf(source) >= 0) {
            return; // the host's own; or a frame of the LAN that claims it, which moves nothing
        }
        long key = AddressTable.key(source, vlan);
        int slot = table.find(key);
        if (slot >= 0 && table.port(slot) == from) {
            table.set(slot, from, nowNs);
            return;
        }
        if (learnedOf(from) >= (from == LAN ? LEARNED_OF_LAN_MAX : LEARNED_OF_HOST_MAX)) {
            notLearned++;
            return;
        }
        if (slot >= 0) {
            count(table.port(slot), -1);
            table.set(slot, from, nowNs);
        } else {
            table.add(key, from, nowNs);
        }
        count(from, 1);
    }

    private int learnedOf(int port) {
        return port == LAN ? learnedOfLan : ports[port].learned;
    }

    private void count(int port, int change) {
        if (port == LAN) {
            learnedOfLan += change;
        } else {
            ports[port].learned += change;
        }
    }

    private void toGroup(int from, EthernetHeader frame, PortSet into) {
        if (from != LAN) {
            into.add(LAN);
        }
        for (int port = 1; port < portsUsed; port++) {
            SwitchPort host = ports[port];
            if (port != from && host.attached && host.takesVlan(frame.vlan()) && host.takesGroup(frame.destination())) {
                into.add(port);
            }
        }
    }

    private void toStation(int from, EthernetHeader frame, long nowNs, PortSet into) {
        int place = placeOf(frame.destination(), frame.vlan(), nowNs);
        if (place != from && (place == LAN || ports[place].takesVlan(frame.vlan()))) {
            into.add(place);
        }
        boolean shown = switch (promiscuity) {
            case GROUPS -> false;
            case LAN -> from == LAN && place == LAN;
            case LAN_AND_HOSTS -> from == LAN || place == LAN;
        };
        if (!shown) {
            return;
        }
        for (int port = 1; port < portsUsed; port++) {
            SwitchPort host = ports[port];
            if (port != from && host.attached && host.promiscuous && host.takesVlan(frame.vlan())) {
                into.add(port);
            }
        }
    }

    private int placeOf(long destination, int vlan, long nowNs) {
        int owner = ownerOf(destination);
        if (owner >= 0) {
            return owner;
        }
        int slot = destination == 0 ? -1 : table.find(AddressTable.key(destination, vlan));
        return slot < 0 || table.timeNs(slot) < nowNs - AGE_NS ? LAN : table.port(slot);
    }

    /** Forgets learned addresses that are too old, some at a time. Called every now and then. */
    public void age(long nowNs) {
        for (int slot = table.oldEntry(nowNs - AGE_NS); slot >= 0; slot = table.oldEntry(nowNs - AGE_NS)) {
            count(table.port(slot), -1);
            table.remove(slot);
        }
    }

    /** Addresses that are learned now. */
    public int learnedCount() {
        int count = learnedOfLan;
        for (int port = 1; port < portsUsed; port++) {
            count += ports[port].learned;
        }
        return count;
    }

    /** Frames whose source was not learned, because too many were. */
    public long notLearned() {
        return notLearned;
    }
}
