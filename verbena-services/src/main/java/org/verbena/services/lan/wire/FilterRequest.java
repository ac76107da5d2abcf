package org.verbena.services.lan.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.link.frame.EthernetHeader;

/** The data of a SET_FILTER request. */
public final class FilterRequest {
    /** Bytes without the lists. */
    public static final int LENGTH = 8;
    /** Addresses of groups in one request at most. */
    public static final int GROUPS_MAX = 256;
    /** VLANs in one request at most. */
    public static final int VLANS_MAX = 256;
    /** Bytes of a request at most. */
    public static final int LENGTH_MAX = LENGTH + 6 * GROUPS_MAX + 2 * VLANS_MAX;

    private static final int PROMISCUOUS = 1;
    private static final int ALL_MULTICAST = 2;
    private static final int BROADCAST = 4;

    private final int flags;
    private final long[] groups;
    private final int[] vlans;

    private FilterRequest(int flags, long[] groups, int[] vlans) {
        this.flags = flags;
        this.groups = groups;
        this.vlans = vlans;
    }

    /** A request with these filters. */
    public static FilterRequest of(
            boolean promiscuous, boolean allMulticast, boolean broadcast, long[] groups, int[] vlans) {
        int flags = (promiscuous ? PROMISCUOUS : 0) | (allMulticast ? ALL_MULTICAST : 0) | (broadcast ? BROADCAST : 0);
        return new FilterRequest(flags, groups.clone(), vlans.clone());
    }

    /** Reads it; null if it is malformed: an address that is of no group, or a VLAN that cannot be, makes it so. */
    public static @Nullable FilterRequest read(MemorySegment memory, long offset, int length) {
        ConfigReader in = new ConfigReader(memory, offset, length);
        int flags = in.readShort();
        int groupCount = in.readShort();
        int vlanCount = in.readShort();
        int reserved = in.readShort();
        if ((flags & ~(PROMISCUOUS | ALL_MULTICAST | BROADCAST)) != 0
                || reserved != 0
                || groupCount > GROUPS_MAX
                || vlanCount > VLANS_MAX) {
            return null;
        }
        boolean valid = true;
        long[] groups = new long[groupCount];
        for (int i = 0; i < groupCount; i++) {
            groups[i] = in.readAddress();
            valid &= EthernetHeader.isGroup(groups[i]);
        }
        int[] vlans = new int[vlanCount];
        for (int i = 0; i < vlanCount; i++) {
            vlans[i] = in.readShort();
            valid &= vlans[i] < EthernetHeader.VLANS;
        }
        return valid && in.isExact() ? new FilterRequest(flags, groups, vlans) : null;
    }

    /** Writes it and returns its bytes. */
    public int write(MemorySegment memory, long offset) {
        ConfigWriter out = new ConfigWriter(memory, offset)
                .writeShort(flags)
                .writeShort(groups.length)
                .writeShort(vlans.length)
                .writeShort(0);
        for (long group : groups) {
            out.writeAddress(group);
        }
        for (int vlan : vlans) {
            out.writeShort(vlan);
        }
        return out.length();
    }

    /** Whether frames for other stations are wanted. */
    public boolean promiscuous() {
        return (flags & PROMISCUOUS) != 0;
    }

    /** Whether frames of all groups are wanted. */
    public boolean allMulticast() {
        return (flags & ALL_MULTICAST) != 0;
    }

    /** Whether frames for all stations are wanted. */
    public boolean broadcast() {
        return (flags & BROADCAST) != 0;
    }

    /** Addresses of groups that are wanted. */
    public long[] groups() {
        return groups.clone();
    }

    /** VLANs that are wanted, 0 for frames without one; none: all. */
    public int[] vlans() {
        return vlans.clone();
    }
}
