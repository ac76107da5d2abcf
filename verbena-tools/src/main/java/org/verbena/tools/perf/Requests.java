package org.verbena.tools.perf;

import java.util.ArrayList;
import java.util.List;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * The requests of one initiator, prepared once and posted again and again: message <i>n</i> uses those of slot <i>n</i>
 * modulo their number.
 */
final class Requests {
    private final QueuePair queuePair;
    private final byte[] inlineBytes;
    private final List<WorkRequest.Sending> signalled = new ArrayList<>();
    private final List<WorkRequest.Sending> unsignalled = new ArrayList<>();
    private final List<WorkRequest.Sending> readBacks = new ArrayList<>();
    private final int period;

    Requests(Side side, RemoteMemory landing) {
        PerfPlan plan = side.plan();
        Layout layout = side.layout();
        queuePair = side.queuePair();
        inlineBytes = new byte[plan.isInline() ? (int) plan.size() : 0];
        // Landing slots are a multiple of source slots; twice, so that the two values of compare-swap repeat as well.
        period = 2 * Math.max(layout.sourceSlots(), layout.landingSlots());
        for (int n = 0; n < period; n++) {
            long offset = layout.landing(n) - layout.landing(0);
            RemoteMemory target = plan.operation().isAtomic() ? landing : landing.plus(offset);
            signalled.add(request(side, n, target, SendOptions.SIGNALLED));
            unsignalled.add(request(side, n, target, SendOptions.UNSIGNALLED));
            if (plan.operation() == PerfOperation.WRITE && plan.verify() && !plan.isLatency()) {
                readBacks.add(new WorkRequest.Read(n, List.of(side.landing(n)), target, SendOptions.SIGNALLED));
            }
        }
    }

    private WorkRequest.Sending request(Side side, int n, RemoteMemory target, SendOptions options) {
        return switch (side.plan().operation()) {
            case SEND -> new WorkRequest.Send(n, payload(side, n), options);
            case WRITE -> new WorkRequest.Write(n, payload(side, n), target, options);
            case WRITE_IMM -> new WorkRequest.WriteWithImmediate(n, payload(side, n), target, n, options);
            case READ -> new WorkRequest.Read(n, List.of(side.landing(n)), target, options);
            case FETCH_ADD -> new WorkRequest.FetchAdd(n, side.landing(n), target, 1, options);
            case COMPARE_SWAP -> new WorkRequest.CompareSwap(n, side.landing(n), target, n & 1, ~n & 1, options);
        };
    }

    private Payload payload(Side side, int n) {
        return inlineBytes.length > 0
                ? Payload.inline(inlineBytes)
                : side.plan().size() == 0 ? Payload.NOTHING : Payload.of(side.source(n));
    }

    /** The bytes of every inline message, taken when it is posted; empty when messages are gathered. */
    byte[] inlineBytes() {
        return inlineBytes;
    }

    /** How many messages there are different requests for. */
    int period() {
        return period;
    }

    /** Posts a message; false if there is no room now. A write that must be read back is two requests, or none. */
    boolean post(long message, boolean wantsCompletion) {
        int n = (int) (message % period);
        if (readBacks.isEmpty()) {
            return queuePair.post(wantsCompletion ? signalled.get(n) : unsignalled.get(n));
        }
        if (!queuePair.post(unsignalled.get(n))) {
            return false;
        }
        if (!queuePair.post(readBacks.get(n))) {
            throw new IllegalStateException("the send queue is full though it has room for all that is outstanding");
        }
        return true;
    }
}
