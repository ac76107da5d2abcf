package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Gid;
import org.verbena.wire.subnet.McMemberRecord;
import org.verbena.wire.subnet.PathRecord;
import org.verbena.wire.subnet.SaHeader;
import org.verbena.wire.subnet.SaRate;

/** Joins, leaves and finds members of multicast groups. */
final class GroupAnswer {
    private static final int JOIN_STATES =
            McMemberRecord.FULL_MEMBER | McMemberRecord.NON_MEMBER | McMemberRecord.SEND_ONLY;
    private static final int MULTICAST_PREFIX = 0xff;
    /** Groups whose GID the administration chose: transient, signed by OpenSM's number for it. */
    private static final long CHOSEN_HIGH = 0xff12_a01b_0000_0000L;

    private final ManagerOptions options;
    private final MulticastGroups groups;
    private final PathAnswer paths;
    private long chosen;

    GroupAnswer(ManagerOptions options, MulticastGroups groups, PathAnswer paths) {
        this.options = options;
        this.groups = groups;
        this.paths = paths;
    }

    /** Joins a port to a group, which is created if it does not exist. */
    int join(KnownSubnet subnet, MemorySegment request, MemorySegment reply) {
        long mask = SaHeader.COMPONENT_MASK.read(request, 0);
        long at = SaHeader.DATA;
        if ((mask & McMemberRecord.MASK_PORT_GID) == 0 || (mask & McMemberRecord.MASK_JOIN_STATE) == 0) {
            return SaHeader.STATUS_INSUFFICIENT_COMPONENTS;
        }
        int state = McMemberRecord.JOIN_STATE.read(request, at) & JOIN_STATES;
        KnownPort port = port(subnet, request);
        if (port == null) {
            return SaHeader.STATUS_INVALID_GID;
        }
        Gid gid = (mask & McMemberRecord.MASK_GROUP_GID) == 0
                ? Gid.NONE
                : Gid.read(request, at + McMemberRecord.GROUP_GID);
        if (state == 0 || (!gid.equals(Gid.NONE) && gid.high() >>> 56 != MULTICAST_PREFIX)) {
            return SaHeader.STATUS_INVALID_REQUEST;
        }
        MulticastGroup group = groups.byGid(gid);
        boolean isNew = group == null;
        if (group == null) {
            if ((state & McMemberRecord.FULL_MEMBER) == 0) {
                return SaHeader.STATUS_INVALID_REQUEST;
            }
            if ((mask & McMemberRecord.MASK_CREATE & ~McMemberRecord.MASK_GROUP_GID)
                    != (McMemberRecord.MASK_CREATE & ~McMemberRecord.MASK_GROUP_GID)) {
                return SaHeader.STATUS_INSUFFICIENT_COMPONENTS;
            }
            int lid = groups.freeLid();
            if (lid == 0) {
                return SaHeader.STATUS_NO_RESOURCES;
            }
            group = create(gid, lid, port, mask, request);
        }
        if (!fits(group, port, mask, request)) {
            return SaHeader.STATUS_INVALID_REQUEST;
        }
        if (isNew) {
            groups.add(group);
        }
        group.members.merge(port.guid, state, (before, more) -> before | more);
        changed(subnet, group);
        write(group, port.guid, reply);
        return SaHeader.STATUS_GOOD;
    }

    private MulticastGroup create(Gid gid, int lid, KnownPort port, long mask, MemorySegment request) {
        long at = SaHeader.DATA;
        Gid name = gid.equals(Gid.NONE) ? new Gid(CHOSEN_HIGH, ++chosen) : gid;
        MulticastGroup group = new MulticastGroup(name, lid, false);
        group.qkey = McMemberRecord.QKEY.read(request, at);
        group.pkey = McMemberRecord.PKEY.read(request, at) | PartitionPolicy.FULL_MEMBER;
        group.serviceLevel = McMemberRecord.SERVICE_LEVEL.read(request, at);
        group.trafficClass = McMemberRecord.TRAFFIC_CLASS.read(request, at);
        group.flowLabel = McMemberRecord.FLOW_LABEL.read(request, at);
        group.hopLimit = McMemberRecord.HOP_LIMIT.read(request, at);
        group.scope = (int) (name.high() >>> 48) & 0xf;
        group.mtuCode = (mask & McMemberRecord.MASK_MTU) != 0
                ? chosen(
                        McMemberRecord.MTU_SELECTOR.read(request, at),
                        McMemberRecord.MTU.read(request, at),
                        port.mtuCode())
                : port.mtuCode();
        SaRate most = SaRate.atMost(port.tenthsOfGigabits());
        group.rateCode = (mask & McMemberRecord.MASK_RATE) != 0
                        && McMemberRecord.RATE_SELECTOR.read(request, at) == PathRecord.SELECT_EXACT
                ? McMemberRecord.RATE.read(request, at)
                : most.code();
        return group;
    }

    private static int chosen(int selector, int given, int most) {
        return switch (selector) {
            case PathRecord.SELECT_LESS -> Math.min(given - 1, most);
            case PathRecord.SELECT_EXACT -> given;
            default -> most;
        };
    }

    /** Whether a port can be a member, and the components that were given are the group's. */
    private boolean fits(MulticastGroup group, KnownPort port, long mask, MemorySegment request) {
        long at = SaHeader.DATA;
        boolean same = ((mask & McMemberRecord.MASK_QKEY) == 0 || McMemberRecord.QKEY.read(request, at) == group.qkey)
                && ((mask & McMemberRecord.MASK_PKEY) == 0
                        || ((McMemberRecord.PKEY.read(request, at) ^ group.pkey) & PartitionPolicy.DEFAULT_KEY) == 0)
                && ((mask & McMemberRecord.MASK_SERVICE_LEVEL) == 0
                        || McMemberRecord.SERVICE_LEVEL.read(request, at) == group.serviceLevel)
                && ((mask & McMemberRecord.MASK_TRAFFIC_CLASS) == 0
                        || McMemberRecord.TRAFFIC_CLASS.read(request, at) == group.trafficClass)
                && ((mask & McMemberRecord.MASK_FLOW_LABEL) == 0
                        || McMemberRecord.FLOW_LABEL.read(request, at) == group.flowLabel);
        boolean mtuFits = (mask & McMemberRecord.MASK_MTU) == 0
                || PathAnswer.selects(
                        McMemberRecord.MTU_SELECTOR.read(request, at),
                        group.mtuCode,
                        McMemberRecord.MTU.read(request, at));
        return same
                && mtuFits
                && group.mtuCode >= 1
                && group.mtuCode <= port.mtuCode()
                && PartitionPlan.sharedKey(options.partitions().keys(port.guid), new int[] {group.pkey}) != 0;
    }

    /** Takes join states from a member; the last full member takes the group with it. */
    int leave(KnownSubnet subnet, MemorySegment request, MemorySegment reply) {
        long mask = SaHeader.COMPONENT_MASK.read(request, 0);
        if ((mask & McMemberRecord.MASK_JOIN) != McMemberRecord.MASK_JOIN) {
            return SaHeader.STATUS_INSUFFICIENT_COMPONENTS;
        }
        MulticastGroup group = groups.byGid(Gid.read(request, SaHeader.DATA + McMemberRecord.GROUP_GID));
        Gid portGid = Gid.read(request, SaHeader.DATA + McMemberRecord.PORT_GID);
        Integer state = group == null || !paths.isLocal(portGid) ? null : group.members.get(portGid.low());
        int leaves = McMemberRecord.JOIN_STATE.read(request, SaHeader.DATA);
        if (group == null || state == null || (state & leaves) == 0) {
            return SaHeader.STATUS_INVALID_REQUEST;
        }
        write(group, portGid.low(), reply);
        McMemberRecord.JOIN_STATE.write(reply, SaHeader.DATA, state & leaves);
        if ((state & ~leaves) == 0) {
            group.members.remove(portGid.low());
        } else {
            group.members.put(portGid.low(), state & ~leaves);
        }
        if (!group.hasFullMember() && !group.permanent) {
            group.members.clear();
            groups.remove(group);
        }
        changed(subnet, group);
        return SaHeader.STATUS_GOOD;
    }

    /** Finds a group, and its member if a port is named. */
    int find(KnownSubnet subnet, MemorySegment request, MemorySegment reply) {
        long mask = SaHeader.COMPONENT_MASK.read(request, 0);
        MulticastGroup group;
        if ((mask & McMemberRecord.MASK_GROUP_GID) != 0) {
            group = groups.byGid(Gid.read(request, SaHeader.DATA + McMemberRecord.GROUP_GID));
        } else if ((mask & McMemberRecord.MASK_LID) != 0) {
            group = groups.byLid(McMemberRecord.LID.read(request, SaHeader.DATA));
        } else {
            return groups.all().size() > 1 ? SaHeader.STATUS_TOO_MANY_RECORDS : SaHeader.STATUS_INSUFFICIENT_COMPONENTS;
        }
        if (group == null) {
            return SaHeader.STATUS_NO_RECORDS;
        }
        KnownPort port = (mask & McMemberRecord.MASK_PORT_GID) != 0 ? port(subnet, request) : null;
        if ((mask & McMemberRecord.MASK_PORT_GID) != 0 && (port == null || !group.members.containsKey(port.guid))) {
            return SaHeader.STATUS_NO_RECORDS;
        }
        write(group, port == null ? 0 : port.guid, reply);
        return SaHeader.STATUS_GOOD;
    }

    private @Nullable KnownPort port(KnownSubnet subnet, MemorySegment request) {
        Gid gid = Gid.read(request, SaHeader.DATA + McMemberRecord.PORT_GID);
        return paths.isLocal(gid) ? subnet.end(gid.low()) : null;
    }

    private void changed(KnownSubnet subnet, MulticastGroup group) {
        new SpanningTree(subnet).make(group);
        groups.changed(group.lid);
    }

    private void write(MulticastGroup group, long portGuid, MemorySegment reply) {
        long at = SaHeader.DATA;
        group.gid.write(reply, at + McMemberRecord.GROUP_GID);
        new Gid(portGuid == 0 ? 0 : options.subnetPrefix(), portGuid).write(reply, at + McMemberRecord.PORT_GID);
        McMemberRecord.QKEY.write(reply, at, group.qkey);
        McMemberRecord.LID.write(reply, at, group.lid);
        McMemberRecord.MTU_SELECTOR.write(reply, at, PathRecord.SELECT_EXACT);
        McMemberRecord.MTU.write(reply, at, group.mtuCode);
        McMemberRecord.TRAFFIC_CLASS.write(reply, at, group.trafficClass);
        McMemberRecord.PKEY.write(reply, at, group.pkey);
        McMemberRecord.RATE_SELECTOR.write(reply, at, PathRecord.SELECT_EXACT);
        McMemberRecord.RATE.write(reply, at, group.rateCode);
        McMemberRecord.LIFE_TIME_SELECTOR.write(reply, at, PathRecord.SELECT_EXACT);
        McMemberRecord.LIFE_TIME.write(reply, at, PathAnswer.LIFE_TIME);
        McMemberRecord.SERVICE_LEVEL.write(reply, at, group.serviceLevel);
        McMemberRecord.FLOW_LABEL.write(reply, at, group.flowLabel);
        McMemberRecord.HOP_LIMIT.write(reply, at, group.hopLimit);
        McMemberRecord.SCOPE.write(reply, at, group.scope);
        Integer state = group.members.get(portGuid);
        McMemberRecord.JOIN_STATE.write(reply, at, state == null ? 0 : state);
    }
}
