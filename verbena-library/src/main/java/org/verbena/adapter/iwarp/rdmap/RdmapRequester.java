package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.verbena.Operation;
import org.verbena.ReadyMessage;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.SendQueue;
import org.verbena.memory.faults.Fault;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.iwarp.TerminateCode;

/**
 * The send queue of an iWARP connection. Requests begin in the order of posting. A send or a write is done when its last segment is in
 * the channel: the stream is reliable, and no acknowledgement comes. A read or an atomic is done when its answer has arrived.
 * Completions are in the order of posting.
 */
final class RdmapRequester {
    /** The key in a ready message, as Linux siw has it: it names no memory, and some cards do not take 0. */
    private static final int READY_KEY = 1;

    private final Pair pair;
    private final SendQueue queue;
    private final Ring ring;
    private final MemorySegment slots;
    private final AccessRights rights;
    private final Effort effort;
    private final Counters counters;
    private final RarePageWait pages;
    private final Upcalls upcalls;
    private final CurrentRequest current;
    private final PayloadSender data;
    private final RequestSender requests;
    private final Answers answers;
    /** Position of the request that is sent next, or under way. */
    private long next;

    private boolean underWay;
    /** The status with which the request at {@link #next} fails when all before it are done; success if it does not. */
    private Status failing = Status.SUCCESS;

    private Verdict failingVerdict = Verdict.GRANTED;
    private String failingDetail = "";
    /** Only the send queue fails, and the connection stays. */
    private boolean failingDrains;

    RdmapRequester(Pair pair, EngineParts parts, SegmentChannel channel, Upcalls upcalls) {
        this.pair = pair;
        this.queue = pair.sends();
        this.ring = queue.ring();
        this.slots = ring.memory();
        this.rights = pair.rights();
        this.effort = parts.effort();
        this.counters = parts.counters();
        this.upcalls = upcalls;
        this.pages = new RarePageWait(parts, this::onPages);
        this.current = new CurrentRequest(ring, parts.memory(), rights);
        this.data = new PayloadSender(channel, effort);
        this.requests = new RequestSender(channel, effort);
        this.answers = new Answers(ring, parts.memory(), rights);
        this.next = queue.retired();
    }

    /** Sends from now on, with at most this many reads and atomics on the wire. */
    void begin(int outstandingReads) {
        answers.begin(outstandingReads);
        next = queue.retired();
        underWay = false;
    }

    /** Sends the message of length 0 that tells that this side is ready to receive; false if the channel has no room. */
    boolean sendReady(ReadyMessage message) {
        return switch (message) {
            case WRITE -> data.sendReadyWrite(READY_KEY);
            case READ -> requests.sendReady(answers.outstanding(), READY_KEY);
            case SEND -> data.sendReadySend();
        };
    }

    /** The answers to its requests. */
    Answers answers() {
        return answers;
    }

    /** Whether a request has begun and is not done. */
    boolean isSending() {
        return underWay || !answers.outstanding().isEmpty();
    }

    /** Gives the request under way up; waits for no pages. */
    void stop() {
        underWay = false;
        answers.outstanding().clear();
        pages.release();
    }

    /** All requests were given back. */
    void onFlushed() {
        underWay = false;
        failing = Status.SUCCESS;
        next = queue.retired();
    }

    /**
     * Sends until the budget is spent (true), or no request is left that may be sent now (false).
     *
     * @param localOnly whether requests may be done that need no sending, and no others
     */
    boolean transmit(int budget, boolean draining, boolean localOnly) {
        long limit = effort.spent() + budget;
        while (effort.spent() < limit && pair.state().answers()) { // a completion without room ends the queue pair
            Step step = step(draining, localOnly);
            if (step == Step.NO_ROOM) {
                upcalls.onBlocked();
            }
            if (step != Step.DONE) {
                return false;
            }
        }
        return true;
    }

    private Step step(boolean draining, boolean localOnly) {
        if (pages.isWaiting() || failing != Status.SUCCESS) {
            return Step.BLOCKED;
        }
        if (!underWay && !begin(draining, localOnly)) {
            return Step.BLOCKED;
        }
        return underWay ? send() : Step.DONE;
    }

    /** Begins the next request, or does it if it is local; false if there is none that may begin. */
    private boolean begin(boolean draining, boolean localOnly) {
        long behind = next - queue.retired();
        if (draining || queue.posted() <= behind) {
            return false;
        }
        long slot = ring.slot(next);
        if (SendSlot.is(slots, slot, SendSlot.FLAG_FENCE)
                && !answers.outstanding().isEmpty()) {
            return false;
        }
        Operation operation = SendSlot.operation(slots, slot);
        if (operation.isLocal()) {
            return doLocally(operation);
        }
        if (localOnly) {
            return false;
        }
        Status status = current.load(next, operation);
        underWay = status.success();
        if (!underWay) {
            failingDetail = current.isKnown() ? "" : ": iWARP has no " + operation;
            refuse(status, Verdict.GRANTED);
        } else if (pair.localWork().registersFirst(next, operation)) {
            Verdict verdict = pair.localWork().registerFirst(next);
            return verdict.granted() || refuseLocally(Operation.REGISTER, verdict);
        }
        return underWay;
    }

    private boolean doLocally(Operation operation) {
        Verdict verdict = pair.localWork().execute(next, operation);
        if (verdict.granted()) {
            onSent();
            return true;
        }
        return refuseLocally(operation, verdict);
    }

    private boolean refuseLocally(Operation operation, Verdict verdict) {
        Status status = operation == Operation.BIND_WINDOW
                ? Status.MEMORY_WINDOW_BIND_ERROR
                : Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
        failingDrains = pair.survives(operation);
        return refuse(status, verdict);
    }

    /** The request at {@link #next} fails, when all before it are done. */
    private boolean refuse(Status status, Verdict verdict) {
        failing = status;
        failingVerdict = verdict;
        underWay = false;
        retireDone();
        return false;
    }

    private Step send() {
        Step step = current.operation().awaitsAnswer() ? sendRequest() : sendData();
        if (step == Step.DONE && current.isSent()) {
            onSent();
        }
        return step;
    }

    private Step sendRequest() {
        Step step = requests.send(current, answers.outstanding());
        if (step == Step.REFUSED) {
            refuse(Status.LOCAL_PROTECTION_ERROR, requests.refusal());
        }
        return step;
    }

    private Step sendData() {
        Step step = data.send(current);
        if (step == Step.REFUSED) {
            return onRefused(data.refusal(), data.refused());
        }
        if (step == Step.DONE) {
            pages.release();
        }
        return step;
    }

    private Step onRefused(Verdict verdict, int payload) {
        if (verdict != Verdict.NOT_RESIDENT) {
            refuse(Status.LOCAL_PROTECTION_ERROR, verdict);
            return Step.REFUSED;
        }
        counters.add(Counter.GATHER_PAGE_FAULTS);
        long cursor = current.cursor();
        Verdict demanded = current.segments()
                .demand(
                        pages.prepare(),
                        rights.localRead(),
                        cursor,
                        payload,
                        current.length() - cursor,
                        Fault.Intent.READ);
        if (!demanded.granted()) {
            refuse(Status.LOCAL_PROTECTION_ERROR, demanded);
            return Step.REFUSED;
        }
        return pages.start() ? Step.DONE : Step.BLOCKED;
    }

    private void onPages(Verdict outcome) {
        if (!outcome.granted() && underWay) {
            refuse(Status.LOCAL_PROTECTION_ERROR, outcome);
        }
        pair.scheduleResumed();
    }

    /** All of the request is sent. */
    private void onSent() {
        underWay = false;
        next++;
        retireDone();
    }

    /** Retires the oldest requests that are done, and one that fails behind them. */
    private void retireDone() {
        OutstandingRequests outstanding = answers.outstanding();
        while (queue.retired() < next && (outstanding.isEmpty() || outstanding.position() > queue.retired())) {
            if (!pair.retire(Status.SUCCESS, Verdict.GRANTED)) {
                return;
            }
        }
        if (failing != Status.SUCCESS && queue.retired() == next) {
            Status status = failing;
            failing = Status.SUCCESS;
            if (!pair.retire(status, failingVerdict)) {
                return;
            }
            if (failingDrains) {
                failingDrains = false;
                pair.failSends();
            } else {
                upcalls.failOwn(TerminateCode.RDMAP_CATASTROPHIC, "a request failed: " + status.text() + failingDetail);
            }
        }
    }

    // --- answers

    /** Data of the oldest read is in place, or the ready message is answered. */
    void onReadPlaced(int count, boolean last) {
        OutstandingRequests outstanding = answers.outstanding();
        if (outstanding.isReadyAwaited()) {
            outstanding.readyAwaited(false);
            pair.schedule(); // its place is free for another
            return;
        }
        outstanding.onPlaced(count);
        if (last) {
            onAnswered();
        }
    }

    /** The oldest request is answered. */
    void onAnswered() {
        answers.outstanding().remove();
        retireDone();
        pair.schedule();
    }

    /** The oldest outstanding request fails with this status; all others will be flushed. */
    void failOldest(Status status) {
        OutstandingRequests outstanding = answers.outstanding();
        if (!outstanding.isEmpty() && outstanding.position() == queue.retired()) {
            pair.retire(status, Verdict.GRANTED);
            outstanding.clear();
        }
    }
}
