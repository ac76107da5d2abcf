package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadTask;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.ManagerInfo;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.SaHeader;
import org.verbena.wire.subnet.Smp;

/**
 * A subnet manager: sweeps the subnet through one port, keeps it up when it changes, and is its subnet administration. It has no thread and reads no
 * clock: datagrams and times go in, datagrams come out. Driven as {@code manager.start(fabric.attach(port, manager), now)}, then {@link #work} at
 * {@link #nextDeadlineNs}.
 *
 * <p>There is one manager in a subnet: it does not look for others. Thread: the one that drives the fabric.
 */
public final class SubnetManager implements MadTask {
    /** Between two sweeps, at least. */
    private static final long REST_NS = 1_000_000L;

    private static final long NEVER = Long.MAX_VALUE;

    private final ManagerOptions options;
    private final MulticastGroups groups = new MulticastGroups();
    private final LidPlan lids = new LidPlan();
    private final Map<Long, WrittenTables> written = new HashMap<>();
    private final SubnetAdministration administration;
    private final MemorySegment reply = MemorySegment.ofArray(new byte[Mad.LENGTH]);

    private @Nullable MadPort port;
    private @Nullable SmpExchange exchange;
    private @Nullable Sweep sweep;
    private @Nullable SweepPhase phase;
    private @Nullable LightSweep look;
    private @Nullable KnownSubnet subnet;
    private SweepProblems problems = new SweepProblems();
    private boolean pumping;
    private boolean sweepWanted;
    private boolean sweepInstead;
    private long nextSweepNs;
    private long nextLookNs = NEVER;
    private long nowNs;
    private long sweeps;
    private long traps;
    private int activity;

    /** A manager that waits for {@link #start}. */
    public SubnetManager(ManagerOptions options) {
        this.options = options;
        this.administration = new SubnetAdministration(options, groups);
    }

    /**
     * Takes its port and begins the first sweep.
     *
     * @param madPort to which this manager is attached as the receiver
     * @throws IllegalStateException if it has started before
     */
    public void start(MadPort madPort, long now) {
        if (port != null) {
            throw new IllegalStateException("the manager has started before");
        }
        port = madPort;
        exchange = new SmpExchange(madPort, options);
        nowNs = now;
        madPort.isManager(true);
        sweepWanted = true;
        nextSweepNs = now;
        pump();
    }

    /** Whether a sweep has brought the subnet up and none is under way or wanted. */
    public boolean isUp() {
        return subnet != null && sweep == null && phase == null && !sweepWanted;
    }

    /** Whether all that was asked of the manager is done: the subnet is up, and multicast tables are written. */
    public boolean isSettled() {
        return isUp() && !groups.hasChanges();
    }

    /** Sweeps that have brought the subnet up. */
    public long sweeps() {
        return sweeps;
    }

    /** Traps that have come, repetitions too. */
    public long traps() {
        return traps;
    }

    /** Datagrams that the manager has sent to agents. */
    public long sent() {
        return exchange == null ? 0 : exchange.sent();
    }

    /** What went wrong in the last sweep, in words: the first hundred. */
    public List<String> problems() {
        return problems.kept();
    }

    /** The routes of the last sweep, by the index of the {@link #graph}. */
    public Routes routes() {
        return up().routes();
    }

    /** The subnet as the last sweep found it. */
    public SubnetGraph graph() {
        return up().graph();
    }

    private KnownSubnet up() {
        if (subnet == null) {
            throw new IllegalStateException("the subnet is not up yet");
        }
        return subnet;
    }

    /** Begins a sweep, at once or after the one under way. */
    public void sweepSoon(long now) {
        nowNs = now;
        sweepWanted = true;
        nextSweepNs = now;
        pump();
    }

    /** The time at which {@link #work} has something to do; {@link Long#MAX_VALUE}: never. */
    @Override
    public long nextDeadlineNs() {
        if (exchange == null) {
            return NEVER;
        }
        if (sweep != null || phase != null) {
            return exchange.nextDeadlineNs();
        }
        if (groups.hasChanges() && subnet != null) {
            return nowNs;
        }
        return sweepWanted ? nextSweepNs : nextLookNs;
    }

    /** Sends again what had no answer in time, and begins what is due. */
    @Override
    public void work(long now) {
        if (exchange == null) {
            return;
        }
        nowNs = now;
        if (!pumping) {
            pumping = true;
            repeatOverdue(exchange);
            pumping = false;
            pump();
        }
    }

    private void repeatOverdue(SmpExchange to) {
        for (SmpSlot slot = to.overdue(nowNs); slot != null; slot = to.overdue(nowNs)) {
            if (!to.retry(slot, nowNs)) {
                if (phase != null) {
                    phase.onFailure(slot, SweepPhase.NO_ANSWER);
                }
                to.release(slot);
            }
        }
    }

    @Override
    public boolean onMad(
            long now, MemorySegment mad, int sourceLid, int targetLid, int sourceQueuePair, int targetQueuePair) {
        if (exchange == null || port == null) {
            return false;
        }
        nowNs = now;
        boolean taken;
        if (SaHeader.isSa(mad, 0)) {
            taken = onQuestion(port, mad, sourceLid, sourceQueuePair);
        } else if (!Smp.isSmp(mad, 0)) {
            return false;
        } else if (Smp.METHOD.read(mad, 0) == Smp.METHOD_RESPONSE) {
            taken = onAnswer(exchange, mad);
        } else if (Smp.METHOD.read(mad, 0) == Smp.METHOD_TRAP) {
            taken = onTrap(port, mad, sourceLid);
        } else {
            taken = onManagerQuestion(port, mad, sourceLid);
        }
        pump();
        return taken;
    }

    private boolean onQuestion(MadPort from, MemorySegment mad, int sourceLid, int sourceQueuePair) {
        if ((SaHeader.METHOD.read(mad, 0) & SaHeader.RESPONSE_BIT) != 0) {
            return false;
        }
        if (subnet != null) {
            administration.answer(subnet, mad, reply);
            from.send(reply, sourceLid, sourceQueuePair, SaHeader.QUEUE_PAIR);
        }
        return true;
    }

    private boolean onAnswer(SmpExchange from, MemorySegment mad) {
        SmpSlot slot = from.slotOf(mad);
        if (slot == null || phase == null) {
            return slot != null;
        }
        int status = Smp.STATUS.read(mad, 0);
        if (status == Smp.STATUS_GOOD) {
            phase.onAnswer(slot, mad);
        } else {
            phase.onFailure(slot, status);
        }
        from.release(slot);
        return true;
    }

    private boolean onTrap(MadPort from, MemorySegment mad, int sourceLid) {
        if (Smp.ATTRIBUTE.read(mad, 0) != Notice.ATTRIBUTE) {
            return false;
        }
        traps++;
        reply.copyFrom(mad.asSlice(0, Mad.LENGTH));
        Smp.METHOD.write(reply, 0, Smp.METHOD_TRAP_REPRESS);
        from.send(reply, sourceLid, Smp.QUEUE_PAIR, Smp.QUEUE_PAIR);
        int number = Notice.TRAP_NUMBER.read(mad, Smp.DATA);
        if (number == Notice.LINK_STATE || number == Notice.CAPABILITY_CHANGE) {
            sweepWanted = true;
        }
        return true;
    }

    /** SMInfo: the only attribute of subnet management that the manager answers. */
    private boolean onManagerQuestion(MadPort from, MemorySegment mad, int sourceLid) {
        int method = Smp.METHOD.read(mad, 0);
        if (Smp.ATTRIBUTE.read(mad, 0) != ManagerInfo.ATTRIBUTE
                || (method != Smp.METHOD_GET && method != Smp.METHOD_SET)
                || subnet == null) {
            return false;
        }
        reply.copyFrom(mad.asSlice(0, Mad.LENGTH));
        Smp.METHOD.write(reply, 0, Smp.METHOD_RESPONSE);
        if (Smp.isDirected(mad, 0)) {
            Smp.DIRECTION.write(reply, 0, 1);
        }
        if (method == Smp.METHOD_SET) {
            Smp.STATUS.write(reply, 0, Smp.STATUS_BAD_ATTRIBUTE);
        } else {
            ManagerInfo.GUID.write(reply, Smp.DATA, subnet.managerPort().guid);
            ManagerInfo.KEY.write(reply, Smp.DATA, 0);
            ManagerInfo.ACTIVITY.write(reply, Smp.DATA, activity++);
            ManagerInfo.PRIORITY.write(reply, Smp.DATA, 0);
            ManagerInfo.STATE.write(reply, Smp.DATA, ManagerInfo.STATE_MASTER);
        }
        from.send(reply, sourceLid, Smp.QUEUE_PAIR, Smp.QUEUE_PAIR);
        return true;
    }

    @Override
    public void onLost(long now, MemorySegment mad, int targetLid) {
        if (exchange == null || !Smp.isDirected(mad, 0)) {
            return;
        }
        nowNs = now;
        SmpSlot slot = exchange.slotOf(mad);
        if (slot != null) {
            // The time of the slot is over now: a repetition from here could be lost in here again, without end.
            slot.deadlineNs = now;
            work(now);
        }
    }

    /** Sends what there is to send, and goes from phase to phase. Answers that come meanwhile come in here again, at most one level deep. */
    private void pump() {
        if (pumping || exchange == null) {
            return;
        }
        pumping = true;
        while (sendAll(exchange) && begin()) {
            // Until all requests of a phase are under way, or nothing is to be done.
        }
        pumping = false;
    }

    /** Sends the requests of the phase; true: the phase is over. */
    private boolean sendAll(SmpExchange to) {
        SweepPhase current = phase;
        if (current != null) {
            SmpSlot slot = to.next();
            while (slot != null && current.next(slot)) {
                to.send(slot, nowNs);
                repeatOverdue(to);
                slot = to.next();
            }
        }
        return to.isIdle();
    }

    /** The phase is over: begins the next one, or a sweep that is due; false: there is none. */
    private boolean begin() {
        Sweep current = sweep;
        if (current != null) {
            phase = current.nextPhase();
            if (current.isComplete()) {
                // Questions that come from here on get the new paths.
                subnet = current.subnet();
            }
            if (phase == null) {
                finish(current);
            }
            return true;
        }
        if (look != null) {
            sweepWanted |= look.changed();
            look = null;
            phase = null;
            nextLookNs = nowNs + options.lightSweepNs();
            return true;
        }
        phase = null;
        if (sweepWanted && nowNs >= nextSweepNs) {
            sweepWanted = false;
            problems = new SweepProblems();
            sweep = new Sweep(options, lids, this::writtenTo, groups, problems, subnet);
            return true;
        }
        return beginBetweenSweeps();
    }

    private boolean beginBetweenSweeps() {
        if (subnet != null && groups.hasChanges()) {
            phase = new MulticastPhase(
                    subnet.switches(), this::writtenTo, groups, groups.takeChangedBlocks(), problems);
            return true;
        }
        if (nowNs >= nextLookNs && sweepInstead) {
            sweepInstead = false;
            sweepWanted = true;
            nextSweepNs = nowNs;
            return true;
        }
        if (nowNs >= nextLookNs && subnet != null && !sweepWanted) {
            look = new LightSweep(subnet.switches());
            phase = look;
            return true;
        }
        return false;
    }

    private void finish(Sweep done) {
        sweep = null;
        nextSweepNs = nowNs + REST_NS;
        nextLookNs = nowNs + options.lightSweepNs();
        if (done.isComplete()) {
            sweeps++;
        }
        // A look at the switches does not find an agent that did not answer.
        sweepInstead = problems.count() > 0;
    }

    private WrittenTables writtenTo(long switchGuid) {
        return written.computeIfAbsent(switchGuid, guid -> new WrittenTables());
    }
}
