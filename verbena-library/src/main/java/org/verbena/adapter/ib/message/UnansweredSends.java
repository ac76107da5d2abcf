package org.verbena.adapter.ib.message;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.LocalWork;
import org.verbena.adapter.pair.PageWait;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.SendQueue;
import org.verbena.link.Packet;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Position;
import org.verbena.wire.ib.Psn;

/**
 * The send queue of a service without acknowledgements: requests are done in the order of posting, each when its last
 * packet has left. One that can't be done fails at once, and nothing is sent any more until the queue is started again.
 */
public final class UnansweredSends {
    /** The part of sending that differs between services. */
    public interface Outlet {
        /** Whether a request can be sent: success, or the status with which it fails. Called once for each request. */
        Status admit(MemorySegment slots, long slot, long length);

        /** Begins the next packet of the request admitted last; null when the link has no room now. */
        @Nullable
        Packet begin(Opcode opcode, int payload, int psn, boolean solicited);

        /** Bytes before the payload. */
        default int headerLength(Opcode opcode) {
            return opcode.headerLength();
        }
    }

    private enum Step {
        DONE,
        BLOCKED,
        NO_ROOM
    }

    private final Pair pair;
    private final SendQueue queue;
    private final Transmitter transmitter;
    private final ProtectionTable memory;
    private final Effort effort;
    private final Counters counters;
    private final Ring ring;
    private final MemorySegment slots;
    private final SendData data;
    private final AccessRights rights;
    private final LocalWork localWork;
    private final RequestOpcodes opcodes;
    private final Outlet outlet;

    private Mtu mtu = Mtu.MTU_256;
    private int psn;
    private boolean underWay;
    // Copies of fields of the slot of the request under way: a consumer may overwrite the slot at any time.
    private Operation operation = Operation.UNKNOWN;
    private long length;
    private boolean inline;
    private int cursor;
    private int packets;
    private final PageWait pages;

    /** Sends the requests of a queue pair. */
    UnansweredSends(Pair pair, EngineParts parts, Transmitter transmitter, RequestOpcodes opcodes, Outlet outlet) {
        this.pair = pair;
        this.queue = pair.sends();
        this.transmitter = transmitter;
        this.memory = parts.memory();
        this.effort = parts.effort();
        this.counters = parts.counters();
        this.ring = queue.ring();
        this.slots = ring.memory();
        this.data = new SendData(ring);
        this.rights = pair.rights();
        this.localWork = pair.localWork();
        this.opcodes = opcodes;
        this.outlet = outlet;
        this.pages = new PageWait(parts, this::onPages);
    }

    void begin(Mtu pathMtu, int firstPsn) {
        mtu = pathMtu;
        psn = firstPsn;
        underWay = false;
        data.begin();
    }

    /** Whether a message is between its first and its last packet. */
    boolean isUnderWay() {
        return underWay;
    }

    /** Sends until the budget is spent or the link is full (true), or no request is left that may be sent (false). */
    boolean transmit(int budget, boolean draining) {
        long limit = effort.spent() + budget;
        for (int left = budget; left > 0 && effort.spent() < limit; left--) {
            Step step = step(draining);
            if (step != Step.DONE) {
                return step == Step.NO_ROOM;
            }
        }
        return true;
    }

    private Step step(boolean draining) {
        if (pages.isWaiting()) {
            return Step.BLOCKED;
        }
        if (!underWay) {
            if (draining || queue.posted() == 0) {
                return Step.BLOCKED;
            }
            operation = SendSlot.operation(slots, ring.slot(queue.retired()));
            if (operation.isLocal()) {
                return doLocally();
            }
            Status status = start();
            if (!status.success()) {
                return fail(status, Verdict.GRANTED);
            }
            if (localWork.registersFirst(queue.retired(), operation)) {
                Verdict verdict = localWork.registerFirst(queue.retired());
                if (!verdict.granted()) {
                    return failRegister(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, verdict);
                }
            }
        }
        return sendPacket();
    }

    private Status start() {
        long slot = ring.slot(queue.retired());
        length = SendSlot.messageLength(slots, slot);
        inline = SendSlot.is(slots, slot, SendSlot.FLAG_INLINE);
        data.load(queue.retired(), inline);
        if (!opcodes.has(operation) || !data.isConsistent(length, inline)) {
            return Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
        }
        cursor = 0;
        packets = mtu.packets(length);
        Status status = outlet.admit(slots, slot, length);
        underWay = status.success();
        return status;
    }

    private Step doLocally() {
        Verdict verdict = localWork.execute(queue.retired(), operation);
        if (!verdict.granted()) {
            Status status = operation == Operation.BIND_WINDOW
                    ? Status.MEMORY_WINDOW_BIND_ERROR
                    : Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
            return operation == Operation.REGISTER ? failRegister(status, verdict) : fail(status, verdict);
        }
        return retire(Status.SUCCESS, Verdict.GRANTED);
    }

    private Step sendPacket() {
        boolean last = cursor == packets - 1;
        Opcode opcode = opcodes.of(operation, Position.of(cursor, packets));
        long offset = (long) cursor * mtu.bytes();
        int payload = (int) Math.min(mtu.bytes(), length - offset);
        boolean solicited = last && SendSlot.is(slots, ring.slot(queue.retired()), SendSlot.FLAG_SOLICITED);
        Packet packet = outlet.begin(opcode, payload, psn, solicited);
        if (packet == null) {
            return Step.NO_ROOM;
        }
        data.extend(packet, opcode, queue.retired(), length);
        int at = outlet.headerLength(opcode);
        Verdict verdict = data.gather(memory, rights.localRead(), packet, at, offset, payload, inline);
        if (!verdict.granted()) {
            transmitter.abandon(packet);
            return verdict == Verdict.NOT_RESIDENT
                    ? awaitPages(offset, payload)
                    : fail(Status.LOCAL_PROTECTION_ERROR, verdict);
        }
        transmitter.end(packet);
        if (pages.isOpen()) {
            pages.release();
        }
        psn = Psn.next(psn);
        cursor++;
        return last ? retire(Status.SUCCESS, Verdict.GRANTED) : Step.DONE;
    }

    /** Waits for the pages of the next packet; nothing is sent until they are resident. */
    private Step awaitPages(long offset, int payload) {
        counters.add(Counter.GATHER_PAGE_FAULTS);
        Verdict verdict = data.load(queue.retired(), inline)
                .demand(pages.prepare(), rights.localRead(), offset, payload, length - offset, Fault.Intent.READ);
        if (!verdict.granted()) {
            return fail(Status.LOCAL_PROTECTION_ERROR, verdict);
        }
        return pages.start() ? Step.DONE : Step.BLOCKED;
    }

    private void onPages(Verdict outcome) {
        if (!outcome.granted() && underWay) {
            fail(Status.LOCAL_PROTECTION_ERROR, outcome);
        }
        pair.schedule();
    }

    /** A registration has failed: the options of the queue pair say what follows. */
    private Step failRegister(Status status, Verdict verdict) {
        if (pair.survives(Operation.REGISTER)) {
            return fail(status, verdict);
        }
        retire(status, verdict);
        pair.fail(EventKind.QUEUE_PAIR_FATAL);
        return Step.BLOCKED;
    }

    private Step fail(Status status, Verdict verdict) {
        retire(status, verdict);
        pair.failSends();
        return Step.BLOCKED;
    }

    /** The oldest request is done or has failed: its consumer is told, its slot is free. */
    private Step retire(Status status, Verdict verdict) {
        stop();
        return pair.retire(status, verdict) ? Step.DONE : Step.BLOCKED;
    }

    /** The request under way is given up; waits for no pages. */
    void stop() {
        underWay = false;
        pages.release();
    }
}
