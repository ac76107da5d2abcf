package org.verbena.adapter.ib.reliable;

import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.link.Packet;
import org.verbena.time.Durations;
import org.verbena.time.TimerWheel;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Reth;

/**
 * Notices that the peer is gone while no request is under way: asks a silent peer for a sign of life, and fails the connection when
 * none comes. While requests are under way, {@link Retry} notices it.
 *
 * <p>A probe is a write of no bytes with the sequence number before the oldest one that is not acknowledged. The peer takes it for
 * a request that it has executed before, executes nothing, and acknowledges again, whichever its implementation.
 */
final class KeepAlive {
    /** Parts of the limit: the peer is asked after each silent part but the first, and fails at the end of the last. */
    private static final int PARTS = 5;

    private final ReliableConnection connection;
    private final Transmitter transmitter;
    private final Outstanding outstanding;
    private final TimerWheel wheel;
    private final TurnTime time;
    private final Counters counters;
    private final WheelTimer timer = new WheelTimer(this::onTimer);
    private long partNs;
    private int silent;
    private boolean heard;
    private boolean due;

    KeepAlive(ReliableConnection connection, EngineParts parts, Transmitter transmitter, Outstanding outstanding) {
        this.connection = connection;
        this.transmitter = transmitter;
        this.outstanding = outstanding;
        this.wheel = parts.wheel();
        this.time = parts.time();
        this.counters = parts.counters();
    }

    /** @param limitNs the longest silence of a peer that lives; 0: any silence is taken for life */
    void begin(long limitNs) {
        stop();
        if (limitNs > 0) {
            partNs = Math.max(1, limitNs / PARTS);
            heard = true;
            arm(time.nowNs());
        }
    }

    void stop() {
        due = false;
        wheel.cancel(timer);
    }

    /** A packet of the peer came. */
    void onHeard() {
        heard = true;
    }

    /** Whether {@link #probe} is to be called. */
    boolean isDue() {
        return due;
    }

    /** Sends a probe; it stays due if the link has no room. */
    void probe() {
        int psn = Psn.previous(outstanding.unackedPsn());
        Opcode opcode = Opcode.RC_RDMA_WRITE_ONLY;
        Packet packet = transmitter.begin(connection.peer(), opcode, 0, psn, true, false);
        if (packet != null) {
            Reth.write(packet.segment(), (long) packet.offset() + opcode.offsetOf(Extension.RETH), 0, 0, 0);
            transmitter.end(packet);
            counters.add(Counter.KEEPALIVE_PROBES);
            due = false;
        }
    }

    private void onTimer(long nowNs) {
        boolean waits = outstanding.inFlight() > 0 || connection.retry().awaitsReceiver();
        if (heard || waits) {
            heard = false;
            silent = 0;
        } else if (++silent == PARTS - 1) {
            connection.fail(Status.RETRY_EXCEEDED, Verdict.GRANTED);
            return;
        } else {
            due = true;
            connection.schedule();
        }
        arm(nowNs);
    }

    private void arm(long nowNs) {
        wheel.schedule(timer, Durations.deadlineNs(nowNs, partNs));
    }
}
