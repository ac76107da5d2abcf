package org.verbena.adapter.iwarp.port;

import java.lang.foreign.MemorySegment;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.SegmentReceiver;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.time.WheelTimer;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * Has a send wait for a receive: its segment is left in the stream, which is not read further, so that TCP holds the peer back. It looks for a
 * receive again and again, ever less often. After the time limit DDP gets the segment and refuses it, as the standard has it.
 */
final class ReceiveGate implements SegmentReceiver {
    private static final long FIRST_NS = 10_000;
    private static final long LONGEST_NS = 1_000_000;

    private final IwarpPort port;
    private final ReceiveQueue receives;
    private final SegmentReceiver inner;
    private final Runnable onAgain;
    private final WheelTimer timer = new WheelTimer(nowNs -> again());
    /** When the wait ends; meaningful while it lasts, and so is its begin. */
    private long deadlineNs;

    private long beganNs;
    /** Until the next look; 0 if no send waits. */
    private long stepNs;

    /** @param onAgain called when the segment is to be offered again */
    ReceiveGate(IwarpPort port, ReceiveQueue receives, SegmentReceiver inner, Runnable onAgain) {
        this.port = port;
        this.receives = receives;
        this.inner = inner;
        this.onAgain = onAgain;
    }

    @Override
    public Intake onSegment(MemorySegment memory, long at, int length) {
        if (isSend(memory, at, length) && !receives.take() && waits()) {
            return Intake.LATER;
        }
        endWait();
        return inner.onSegment(memory, at, length);
    }

    /** Whether a send waits for a receive. */
    boolean isWaiting() {
        return stepNs > 0;
    }

    private void endWait() {
        if (stepNs > 0) {
            stepNs = 0;
            port.counters().onReceiveWaitEnd(port.nowNs() - beganNs);
        }
    }

    private static boolean isSend(MemorySegment memory, long at, int length) {
        return length >= UntaggedHeader.LENGTH
                && !DdpControl.isTagged(memory, at)
                && UntaggedHeader.queue(memory, at) == RdmapOpcode.SENDS;
    }

    /** Whether the time limit is not over; arms the timer then. */
    private boolean waits() {
        long nowNs = port.nowNs();
        if (stepNs == 0) {
            beganNs = nowNs;
            deadlineNs = nowNs + port.receiveWaitNs();
            port.counters().onReceiveWait();
            stepNs = FIRST_NS;
        }
        if (nowNs - deadlineNs >= 0) {
            return false;
        }
        port.schedule(timer, nowNs + stepNs);
        stepNs = Math.min(2 * stepNs, LONGEST_NS);
        return true;
    }

    private void again() {
        onAgain.run();
    }

    /** The connection has ended. */
    void stop() {
        endWait();
        port.cancel(timer);
    }
}
