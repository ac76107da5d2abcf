package org.verbena.fabric.flow;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.MadTask;
import org.verbena.manage.agent.SubnetAgent;

/** A user of management datagrams at a port. */
final class MadFlow implements MadPort {
    final PortFlow port;
    final MadReceiver receiver;
    private final Management management;
    private final @Nullable MadTask task;
    private final Timer timer = new Timer();

    /** The time at which a task has work. */
    private final class Timer extends Event {
        @Override
        void happen() {
            if (task != null) {
                task.work(port.flow.nowNs());
                arm();
            }
        }
    }

    MadFlow(Management management, PortFlow port, MadReceiver receiver) {
        this.management = management;
        this.port = port;
        this.receiver = receiver;
        this.task = receiver instanceof MadTask timed ? timed : null;
    }

    /** The time at which the task has work may have changed. */
    void arm() {
        if (task == null) {
            return;
        }
        Flow flow = port.flow;
        long deadlineNs = task.nextDeadlineNs();
        flow.events.remove(timer);
        if (deadlineNs < Flow.NEVER_NS) {
            flow.events.add(timer, Math.max(flow.nowPs, deadlineNs * Flow.PS_PER_NS));
        }
    }

    /** Offers a datagram to the receiver. */
    boolean offer(MemorySegment mad, int sourceLid, int targetLid, int sourceQueuePair, int targetQueuePair) {
        boolean taken = receiver.onMad(port.flow.nowNs(), mad, sourceLid, targetLid, sourceQueuePair, targetQueuePair);
        arm();
        return taken;
    }

    @Override
    public int lid() {
        return port.port.lid();
    }

    @Override
    public int managerLid() {
        return port.port.managerLid();
    }

    @Override
    public void send(MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
        management.send(this, mad, targetLid, targetQueuePair, sourceQueuePair);
        arm();
    }

    @Override
    public void isManager(boolean manager) {
        SubnetAgent.manager(port.port, manager, port.flow.nowNs());
    }

    /** A datagram is lost, or the answer to it. */
    void onLost(Parcel parcel) {
        management.onLost(this, parcel);
        arm();
    }

    @Override
    public void close() {
        port.flow.events.remove(timer);
        management.close(this);
    }
}
