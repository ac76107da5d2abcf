package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Gid;
import org.verbena.wire.subnet.PathRecord;
import org.verbena.wire.subnet.SaHeader;
import org.verbena.wire.subnet.SaRate;

/** Answers questions for a path. */
final class PathAnswer {
    /** The prefix that every subnet has beside its own. */
    static final long LINK_LOCAL_PREFIX = 0xfe80_0000_0000_0000L;
    /** 4.096 µs × 2^18. */
    static final int LIFE_TIME = 18;

    private static final int HOP_LIMIT_MAX = 0xff;
    private static final int MTU_MAX = 5;

    private final ManagerOptions options;

    PathAnswer(ManagerOptions options) {
        this.options = options;
    }

    /** A path, or the status that says why there is none. */
    record Path(
            int status,
            Gid sourceGid,
            Gid targetGid,
            int sourceLid,
            int targetLid,
            int pkey,
            int serviceLevel,
            int mtuCode,
            SaRate rate,
            int hopLimit,
            boolean sameNode) {
        static Path none(int status) {
            return new Path(status, Gid.NONE, Gid.NONE, 0, 0, 0, 0, 0, SaRate.GBPS_2_5, 0, false);
        }
    }

    /** Least values along a path. */
    private static final class Least {
        int mtuCode = MTU_MAX;
        int tenths = Integer.MAX_VALUE;

        void pass(KnownPort port) {
            mtuCode = Math.min(mtuCode, port.mtuCode());
            tenths = Math.min(tenths, port.tenthsOfGigabits());
        }
    }

    /** One end of a path: the port, and the identifier of it that was asked for. */
    private record End(int status, @Nullable KnownPort port, int lid, Gid gid, boolean remote) {}

    Path find(KnownSubnet subnet, MemorySegment request) {
        long mask = SaHeader.COMPONENT_MASK.read(request, 0);
        if ((mask & (PathRecord.MASK_SOURCE_GID | PathRecord.MASK_SOURCE_LID)) == 0
                || (mask & (PathRecord.MASK_TARGET_GID | PathRecord.MASK_TARGET_LID)) == 0) {
            return Path.none(SaHeader.STATUS_INSUFFICIENT_COMPONENTS);
        }
        End source = end(
                subnet,
                (mask & PathRecord.MASK_SOURCE_GID) != 0
                        ? Gid.read(request, SaHeader.DATA + PathRecord.SOURCE_GID)
                        : null,
                (mask & PathRecord.MASK_SOURCE_LID) != 0 ? PathRecord.SOURCE_LID.read(request, SaHeader.DATA) : -1,
                false);
        End target = end(
                subnet,
                (mask & PathRecord.MASK_TARGET_GID) != 0
                        ? Gid.read(request, SaHeader.DATA + PathRecord.TARGET_GID)
                        : null,
                (mask & PathRecord.MASK_TARGET_LID) != 0 ? PathRecord.TARGET_LID.read(request, SaHeader.DATA) : -1,
                true);
        KnownPort from = source.port;
        KnownPort to = target.port;
        if (from == null || to == null) {
            return Path.none(from == null ? source.status : target.status);
        }
        Least least = new Least();
        int level = walk(subnet, from, to, target.lid, least);
        int pkey = pkey(from, to, target.remote, mask, request);
        if (level < 0 || pkey == 0 || !fits(least, level, mask, request)) {
            return Path.none(SaHeader.STATUS_NO_RECORDS);
        }
        return new Path(
                SaHeader.STATUS_GOOD,
                source.gid,
                target.gid,
                source.lid,
                target.lid,
                pkey,
                level,
                least.mtuCode,
                SaRate.atMost(least.tenths),
                target.remote ? HOP_LIMIT_MAX : 0,
                from == to);
    }

    private End end(KnownSubnet subnet, @Nullable Gid gid, int lid, boolean mayBeRemote) {
        if (gid == null) {
            KnownPort port = subnet.end(lid);
            Gid own = port == null ? Gid.NONE : new Gid(options.subnetPrefix(), port.guid);
            return new End(SaHeader.STATUS_NO_RECORDS, port, lid, own, false);
        }
        boolean local = isLocal(gid);
        KnownPort port = local ? subnet.end(gid.low()) : mayBeRemote && !isMulticast(gid) ? router(subnet) : null;
        if (port == null || port.lid == 0) {
            return new End(SaHeader.STATUS_INVALID_GID, null, 0, gid, false);
        }
        if (lid >= 0 && subnet.end(lid) != port) {
            return new End(SaHeader.STATUS_NO_RECORDS, null, 0, gid, false);
        }
        return new End(SaHeader.STATUS_GOOD, port, lid >= 0 ? lid : port.lid, gid, !local);
    }

    /** Whether a GID is one of this subnet. */
    boolean isLocal(Gid gid) {
        return gid.high() == options.subnetPrefix() || gid.high() == LINK_LOCAL_PREFIX;
    }

    private static boolean isMulticast(Gid gid) {
        return gid.high() >>> 56 == 0xff;
    }

    /** The first router of the subnet: the way to all other subnets. */
    private static @Nullable KnownPort router(KnownSubnet subnet) {
        for (KnownNode node : subnet.nodes()) {
            for (int number = 1; node.isRouter() && number <= node.portCount(); number++) {
                KnownPort port = node.port(number);
                if (port != null && port.lid != 0) {
                    return port;
                }
            }
        }
        return null;
    }

    /** Follows the forwarding tables; the service level, or -1 if they do not lead there. */
    private static int walk(KnownSubnet subnet, KnownPort from, KnownPort to, int lid, Least least) {
        if (from == to) {
            least.pass(from);
            return 0;
        }
        KnownPort at = from.node.isSwitch() ? from : pass(from, least);
        int first = at == null || !at.node.isSwitch() ? SubnetGraph.NONE : at.node.index;
        for (int hop = 0; hop <= HopCounts.HOPS_MAX && at != null; hop++) {
            if (at == to || (at.node == to.node && to.number == 0)) {
                return level(subnet, first, at);
            }
            if (!at.node.isSwitch()) {
                return -1;
            }
            int number = subnet.routes().port(at.node.index, lid);
            KnownPort out = number == Routes.NO_PORT || number == 0 ? null : at.node.port(number);
            at = out == null ? null : pass(out, least);
        }
        return -1;
    }

    private static @Nullable KnownPort pass(KnownPort out, Least least) {
        least.pass(out);
        return out.peer;
    }

    private static int level(KnownSubnet subnet, int first, KnownPort last) {
        KnownPort atSwitch = last.node.isSwitch() ? last : last.peer;
        return first == SubnetGraph.NONE || atSwitch == null || !atSwitch.node.isSwitch()
                ? 0
                : subnet.routes().level(first, atSwitch.node.index);
    }

    private int pkey(KnownPort from, KnownPort to, boolean remote, long mask, MemorySegment request) {
        int[] own = options.partitions().keys(from.guid);
        // The partition of a port in another subnet is that subnet's matter.
        int[] others = remote ? own : options.partitions().keys(to.guid);
        if ((mask & PathRecord.MASK_PKEY) == 0) {
            return PartitionPlan.sharedKey(own, others);
        }
        int wanted = PathRecord.PKEY.read(request, SaHeader.DATA);
        for (int key : own) {
            boolean same = ((key ^ wanted) & PartitionPolicy.DEFAULT_KEY) == 0;
            if (same && PartitionPlan.sharedKey(new int[] {key}, others) != 0) {
                return key & 0xffff;
            }
        }
        return 0;
    }

    private static boolean fits(Least least, int level, long mask, MemorySegment request) {
        if ((mask & PathRecord.MASK_SERVICE_LEVEL) != 0
                && PathRecord.SERVICE_LEVEL.read(request, SaHeader.DATA) != level) {
            return false;
        }
        if ((mask & PathRecord.MASK_MTU) != 0
                && !selects(
                        (mask & PathRecord.MASK_MTU_SELECTOR) != 0
                                ? PathRecord.MTU_SELECTOR.read(request, SaHeader.DATA)
                                : PathRecord.SELECT_EXACT,
                        least.mtuCode,
                        PathRecord.MTU.read(request, SaHeader.DATA))) {
            return false;
        }
        return (mask & PathRecord.MASK_RATE) == 0
                || selects(
                        (mask & PathRecord.MASK_RATE_SELECTOR) != 0
                                ? PathRecord.RATE_SELECTOR.read(request, SaHeader.DATA)
                                : PathRecord.SELECT_EXACT,
                        SaRate.atMost(least.tenths).ordinal(),
                        SaRate.of(PathRecord.RATE.read(request, SaHeader.DATA)).ordinal());
    }

    /** Whether a path with this much, or with less, can serve a selector: a path can always be used for less. */
    static boolean selects(int selector, int most, int wanted) {
        return switch (selector) {
            case PathRecord.SELECT_GREATER -> most > wanted;
            case PathRecord.SELECT_EXACT -> most >= wanted;
            default -> true;
        };
    }

    void write(Path path, MemorySegment reply) {
        long at = SaHeader.DATA;
        path.sourceGid.write(reply, at + PathRecord.SOURCE_GID);
        path.targetGid.write(reply, at + PathRecord.TARGET_GID);
        PathRecord.SOURCE_LID.write(reply, at, path.sourceLid);
        PathRecord.TARGET_LID.write(reply, at, path.targetLid);
        PathRecord.HOP_LIMIT.write(reply, at, path.hopLimit);
        PathRecord.REVERSIBLE.write(reply, at, 1);
        PathRecord.PATHS.write(reply, at, 1);
        PathRecord.PKEY.write(reply, at, path.pkey);
        PathRecord.SERVICE_LEVEL.write(reply, at, path.serviceLevel);
        PathRecord.MTU_SELECTOR.write(reply, at, PathRecord.SELECT_EXACT);
        PathRecord.MTU.write(reply, at, path.mtuCode);
        PathRecord.RATE_SELECTOR.write(reply, at, PathRecord.SELECT_EXACT);
        PathRecord.RATE.write(reply, at, path.rate.code());
        PathRecord.LIFE_TIME_SELECTOR.write(reply, at, PathRecord.SELECT_EXACT);
        PathRecord.LIFE_TIME.write(reply, at, path.sameNode ? 0 : LIFE_TIME);
        PathRecord.PREFERENCE.write(reply, at, 0);
    }
}
