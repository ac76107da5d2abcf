package org.verbena.services.lan;

import java.util.List;
import org.verbena.services.lan.wire.FilterRequest;

/**
 * The frames that a host wants, beside those for its own addresses. Immutable.
 *
 * @param promiscuous whether it wants frames for other stations, as far as the unit permits
 * @param allMulticast whether it wants frames of all groups
 * @param broadcast whether it wants frames for all stations
 * @param groups addresses of groups that it wants, {@link #GROUPS_MAX} at most
 * @param vlans its VLANs, {@link #VLANS_MAX} at most, 0 for frames without one; none: all frames
 */
public record LanFilter(
        boolean promiscuous, boolean allMulticast, boolean broadcast, List<MacAddress> groups, List<Integer> vlans) {
    /** Groups at most. */
    public static final int GROUPS_MAX = FilterRequest.GROUPS_MAX;
    /** VLANs at most. */
    public static final int VLANS_MAX = FilterRequest.VLANS_MAX;
    /** The filter of a host that has set none: broadcast, all groups, all VLANs. */
    public static final LanFilter DEFAULT = new LanFilter(false, true, true, List.of(), List.of());

    /** @throws IllegalArgumentException if an address is that of no group, a VLAN is not 0 … 4,094, or there are too many */
    public LanFilter {
        groups = List.copyOf(groups);
        vlans = List.copyOf(vlans);
        if (groups.size() > GROUPS_MAX || vlans.size() > VLANS_MAX) {
            throw new IllegalArgumentException("at most " + GROUPS_MAX + " groups and " + VLANS_MAX
                    + " VLANs expected; found " + groups.size() + " and " + vlans.size());
        }
        for (MacAddress group : groups) {
            if (!group.isGroup()) {
                throw new IllegalArgumentException("the address of a group expected; found " + group);
            }
        }
        for (int vlan : vlans) {
            if (vlan < 0 || vlan > 4094) {
                throw new IllegalArgumentException("a VLAN 0 … 4094 expected; found " + vlan);
            }
        }
    }

    FilterRequest toRequest() {
        return FilterRequest.of(
                promiscuous,
                allMulticast,
                broadcast,
                groups.stream().mapToLong(MacAddress::bits).toArray(),
                vlans.stream().mapToInt(Integer::intValue).toArray());
    }
}
