package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.verbena.Gid;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadTask;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.McMemberRecord;
import org.verbena.wire.subnet.PathRecord;
import org.verbena.wire.subnet.SaHeader;

/**
 * Asks the subnet administration at a port's manager: for paths, and to join and leave multicast groups. A state machine without a thread: attached to a
 * port as its receiver, and driven by {@link #work} at {@link #nextDeadlineNs}. Works with every administration that answers the standard's datagrams.
 *
 * <p>At most {@link #OUTSTANDING_MAX} requests are under way, {@link #WAITING_MAX} more wait. A request that has no answer is sent again; while the
 * port has no manager yet, requests wait for one. Thread: the one that drives the fabric.
 */
public final class SaClient implements MadTask {
    /** Requests under way. */
    public static final int OUTSTANDING_MAX = 16;
    /** Requests that wait for a place. */
    public static final int WAITING_MAX = 4096;
    /** How often a request is sent. */
    public static final int ATTEMPTS_MAX = 5;
    /** From one sending to the next. */
    public static final long TIMEOUT_NS = 500_000_000L;

    /** Status of a request that no answer came to. */
    public static final int STATUS_NO_ANSWER = -1;

    private static final int SLOT_BITS = 8;
    private static final long TRANSACTION_MASK = 0xffff_ffffL;

    /**
     * What a request came to.
     *
     * @param status 0; another status of {@link SaHeader}; or {@link #STATUS_NO_ANSWER}
     */
    public record PathResult(
            int status,
            int sourceLid,
            int targetLid,
            int serviceLevel,
            int mtuCode,
            int rateCode,
            int pkey,
            int hopLimit,
            int lifeTime) {
        /** Whether packets need a global header: the target is in another subnet. */
        public boolean needsGlobalHeader() {
            return hopLimit > 1;
        }
    }

    /**
     * What a join or leave came to.
     *
     * @param status as of {@link PathResult}
     */
    public record GroupResult(int status, int lid, int qkey, int pkey, int mtuCode, int rateCode, int serviceLevel) {}

    /** Told of the result of a question for a path, once. Must not throw. */
    public interface OnPath {
        void onPath(long nowNs, PathResult result);
    }

    /** Told of the result of a join or leave, once. Must not throw. */
    public interface OnGroup {
        void onGroup(long nowNs, GroupResult result);
    }

    /**
     * The values of a group that a join may create.
     *
     * @param qkey queue key of its datagrams
     * @param pkey its partition
     */
    public record GroupValues(int qkey, int pkey, int serviceLevel, int trafficClass, int flowLabel) {}

    private static final class Request {
        final MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);

        @Nullable
        OnPath onPath;

        @Nullable
        OnGroup onGroup;

        int attempts;
        long transaction;
        long deadlineNs;
    }

    private final @Nullable Request[] slots = new Request[OUTSTANDING_MAX];
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    private @Nullable MadPort port;
    private long sequence = 1;

    /** A client that waits for {@link #start}. */
    public SaClient() {}

    /** Takes its port, to which this client is attached as a receiver. */
    public void start(MadPort madPort) {
        port = madPort;
    }

    /**
     * Asks for a path between two GIDs.
     *
     * @param source a GID of this port
     * @return false: too many requests wait; {@code then} is not told
     */
    public boolean path(long nowNs, Gid source, Gid target, OnPath then) {
        Request request = request(
                SaHeader.METHOD_GET,
                PathRecord.ATTRIBUTE,
                PathRecord.MASK_SOURCE_GID
                        | PathRecord.MASK_TARGET_GID
                        | PathRecord.MASK_REVERSIBLE
                        | PathRecord.MASK_PATHS);
        source.write(request.mad, SaHeader.DATA + PathRecord.SOURCE_GID);
        target.write(request.mad, SaHeader.DATA + PathRecord.TARGET_GID);
        PathRecord.REVERSIBLE.write(request.mad, SaHeader.DATA, 1);
        PathRecord.PATHS.write(request.mad, SaHeader.DATA, 1);
        request.onPath = then;
        return submit(request, nowNs);
    }

    /**
     * Joins a group as a full member.
     *
     * @param values of the group if it does not exist; null: it must exist
     * @return false: too many requests wait; {@code then} is not told
     */
    public boolean join(long nowNs, Gid group, Gid own, @Nullable GroupValues values, OnGroup then) {
        Request request = member(
                SaHeader.METHOD_SET,
                values == null ? McMemberRecord.MASK_JOIN : McMemberRecord.MASK_CREATE,
                group,
                own);
        if (values != null) {
            McMemberRecord.QKEY.write(request.mad, SaHeader.DATA, values.qkey);
            McMemberRecord.PKEY.write(request.mad, SaHeader.DATA, values.pkey);
            McMemberRecord.SERVICE_LEVEL.write(request.mad, SaHeader.DATA, values.serviceLevel);
            McMemberRecord.TRAFFIC_CLASS.write(request.mad, SaHeader.DATA, values.trafficClass);
            McMemberRecord.FLOW_LABEL.write(request.mad, SaHeader.DATA, values.flowLabel);
        }
        request.onGroup = then;
        return submit(request, nowNs);
    }

    /**
     * Leaves a group as a full member.
     *
     * @return false: too many requests wait; {@code then} is not told
     */
    public boolean leave(long nowNs, Gid group, Gid own, OnGroup then) {
        Request request = member(SaHeader.METHOD_DELETE, McMemberRecord.MASK_JOIN, group, own);
        request.onGroup = then;
        return submit(request, nowNs);
    }

    private static Request member(int method, long mask, Gid group, Gid own) {
        Request request = request(method, McMemberRecord.ATTRIBUTE, mask);
        group.write(request.mad, SaHeader.DATA + McMemberRecord.GROUP_GID);
        own.write(request.mad, SaHeader.DATA + McMemberRecord.PORT_GID);
        McMemberRecord.JOIN_STATE.write(request.mad, SaHeader.DATA, McMemberRecord.FULL_MEMBER);
        return request;
    }

    private static Request request(int method, int attribute, long mask) {
        Request request = new Request();
        SaHeader.request(request.mad, 0, method, 0, attribute, mask);
        return request;
    }

    private boolean submit(Request request, long nowNs) {
        if (waiting.size() >= WAITING_MAX) {
            return false;
        }
        waiting.add(request);
        fill(nowNs);
        return true;
    }

    private void fill(long nowNs) {
        for (int index = 0; index < slots.length && !waiting.isEmpty(); index++) {
            if (slots[index] == null) {
                Request request = waiting.remove();
                slots[index] = request;
                request.transaction = (sequence++ << SLOT_BITS | index) & TRANSACTION_MASK;
                SaHeader.TRANSACTION.write(request.mad, 0, request.transaction);
                send(request, nowNs);
            }
        }
    }

    private void send(Request request, long nowNs) {
        request.attempts++;
        request.deadlineNs = nowNs + TIMEOUT_NS;
        if (port != null && port.managerLid() != 0) {
            port.send(request.mad, port.managerLid(), SaHeader.QUEUE_PAIR, SaHeader.QUEUE_PAIR);
        }
    }

    /** Whether no request is under way. */
    public boolean isIdle() {
        return nextDeadlineNs() == Long.MAX_VALUE;
    }

    /** The time at which {@link #work} has something to do; {@link Long#MAX_VALUE}: never. */
    @Override
    public long nextDeadlineNs() {
        long next = Long.MAX_VALUE;
        for (Request request : slots) {
            if (request != null) {
                next = Math.min(next, request.deadlineNs);
            }
        }
        return next;
    }

    /** Sends again what had no answer in time, or gives it up. */
    @Override
    public void work(long nowNs) {
        for (int index = 0; index < slots.length; index++) {
            Request request = slots[index];
            if (request == null || request.deadlineNs > nowNs) {
                continue;
            }
            if (request.attempts < ATTEMPTS_MAX) {
                send(request, nowNs);
            } else {
                slots[index] = null;
                tell(nowNs, request, STATUS_NO_ANSWER, request.mad);
            }
        }
        fill(nowNs);
    }

    @Override
    public boolean onMad(
            long nowNs, MemorySegment mad, int sourceLid, int targetLid, int sourceQueuePair, int targetQueuePair) {
        if (!SaHeader.isSa(mad, 0) || (SaHeader.METHOD.read(mad, 0) & SaHeader.RESPONSE_BIT) == 0) {
            return false;
        }
        long transaction = SaHeader.TRANSACTION.read(mad, 0) & TRANSACTION_MASK;
        int index = (int) transaction & (1 << SLOT_BITS) - 1;
        Request request = index < slots.length ? slots[index] : null;
        if (request == null || request.transaction != transaction) {
            return false;
        }
        int status = SaHeader.STATUS.read(mad, 0);
        if (status == SaHeader.STATUS_BUSY) {
            return true;
        }
        slots[index] = null;
        tell(nowNs, request, status, mad);
        fill(nowNs);
        return true;
    }

    @Override
    public void onLost(long nowNs, MemorySegment mad, int targetLid) {
        // The request is sent again when its time is over: the port may not be active yet.
    }

    private static void tell(long nowNs, Request request, int status, MemorySegment mad) {
        long at = SaHeader.DATA;
        if (request.onPath != null) {
            request.onPath.onPath(
                    nowNs,
                    new PathResult(
                            status,
                            PathRecord.SOURCE_LID.read(mad, at),
                            PathRecord.TARGET_LID.read(mad, at),
                            PathRecord.SERVICE_LEVEL.read(mad, at),
                            PathRecord.MTU.read(mad, at),
                            PathRecord.RATE.read(mad, at),
                            PathRecord.PKEY.read(mad, at),
                            PathRecord.HOP_LIMIT.read(mad, at),
                            PathRecord.LIFE_TIME.read(mad, at)));
        } else if (request.onGroup != null) {
            request.onGroup.onGroup(
                    nowNs,
                    new GroupResult(
                            status,
                            McMemberRecord.LID.read(mad, at),
                            McMemberRecord.QKEY.read(mad, at),
                            McMemberRecord.PKEY.read(mad, at),
                            McMemberRecord.MTU.read(mad, at),
                            McMemberRecord.RATE.read(mad, at),
                            McMemberRecord.SERVICE_LEVEL.read(mad, at)));
        }
    }
}
