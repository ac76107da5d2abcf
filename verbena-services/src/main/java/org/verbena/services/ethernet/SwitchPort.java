package org.verbena.services.ethernet;

import java.util.Arrays;
import org.verbena.link.frame.EthernetHeader;

/** A host's port of a switch: its addresses and filters. */
final class SwitchPort {
    private static final int VLAN_WORDS = 64;

    final long[] addresses = new long[Switch.ADDRESSES_MAX];
    int addressCount;
    boolean attached;
    boolean promiscuous;
    boolean allMulticast;
    boolean broadcast;
    boolean allVlans;
    int learned;
    private long[] groups = {};
    private final long[] vlans = new long[VLAN_WORDS];

    /** The state of a port that was just attached: broadcast and all multicast, all VLANs. */
    void resetFilter() {
        promiscuous = false;
        allMulticast = true;
        broadcast = true;
        groups = new long[0];
        vlans(new int[0]);
    }

    void groups(long[] wanted) {
        groups = wanted.clone();
        Arrays.sort(groups);
    }

    void vlans(int[] wanted) {
        Arrays.fill(vlans, 0);
        for (int vlan : wanted) {
            vlans[vlan >> 6] |= 1L << vlan;
        }
        allVlans = wanted.length == 0;
    }

    boolean takesVlan(int vlan) {
        return allVlans || (vlans[vlan >> 6] >>> vlan & 1) != 0;
    }

    boolean takesGroup(long destination) {
        if (promiscuous) {
            return true;
        }
        return destination == EthernetHeader.BROADCAST
                ? broadcast
                : allMulticast || Arrays.binarySearch(groups, destination) >= 0;
    }

    boolean hasAddress(long address) {
        for (int i = 0; i < addressCount; i++) {
            if (addresses[i] == address) {
                return true;
            }
        }
        return false;
    }
}
