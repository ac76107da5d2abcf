package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.adapter.iwarp.ddp.UntaggedQueue;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.PageWait;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.adapter.pair.SendQueue;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.iwarp.AtomicKind;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.ImmediateData;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * The send queue of an iWARP connection. Requests begin in the order of posting. A send or a write is done when its last segment is in
 * the channel: the stream is reliable, and no acknowledgement comes. A read or an atomic is done when its answer has arrived.
 * Completions are in the order of posting.
 */
final class RdmapRequester {
    /** The connection, as its two halves see it. */
    interface Upcalls {
        /** The connection has to end, and the peer is told the reason. */
        void fail(TerminateCode reason, String detail);

        /** The channel has no room: the queue pair is scheduled again when it has. */
        void onBlocked();
    }

    private enum Step {
        DONE,
        BLOCKED,
        NO_ROOM
    }

    private final Pair pair;
    private final SendQueue queue;
    private final Ring ring;
    private final MemorySegment slots;
    private final SegmentChannel channel;
    private final ProtectionTable memory;
    private final AccessRights rights;
    private final Effort effort;
    private final Counters counters;
    private final PageWait pages;
    private final Upcalls upcalls;
    private final SegmentList segments;
    private final SegmentList landing;
    private final MemorySegment original = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final UntaggedQueue sends = new UntaggedQueue();
    private final UntaggedQueue requests = new UntaggedQueue();
    private OutstandingRequests outstanding = new OutstandingRequests(1);
    /** Position of the request that is sent next, or under way. */
    private long next;
    // Copies of fields of the slot of the request under way: a consumer may overwrite the slot at any time.
    private boolean underWay;
    private Operation operation = Operation.UNKNOWN;
    private long length;
    private boolean inline;
    private long cursor;
    /** The status with which the request at {@link #next} fails when all before it are done; success if it does not. */
    private Status failing = Status.SUCCESS;

    private Verdict failingVerdict = Verdict.GRANTED;

    RdmapRequester(Pair pair, EngineParts parts, SegmentChannel channel, Upcalls upcalls) {
        this.pair = pair;
        this.queue = pair.sends();
        this.ring = queue.ring();
        this.slots = ring.memory();
        this.channel = channel;
        this.memory = parts.memory();
        this.rights = pair.rights();
        this.effort = parts.effort();
        this.counters = parts.counters();
        this.upcalls = upcalls;
        this.pages = new PageWait(parts, this::onPages);
        this.segments = SegmentList.within(SendSlot.room(ring.slotLength()));
        this.landing = SegmentList.within(SendSlot.room(ring.slotLength()));
        this.next = queue.retired();
    }

    /** Sends from now on, with at most this many reads and atomics on the wire. */
    void begin(int outstandingReads) {
        outstanding = new OutstandingRequests(Math.max(1, outstandingReads));
        next = queue.retired();
        underWay = false;
    }

    /** Whether a request has begun and is not done. */
    boolean isSending() {
        return underWay || !outstanding.isEmpty();
    }

    /** Gives the request under way up; waits for no pages. */
    void stop() {
        underWay = false;
        outstanding.clear();
        pages.release();
    }

    /** Sends until the budget is spent (true), or no request is left that may be sent now (false). */
    boolean transmit(int budget, boolean draining) {
        long limit = effort.spent() + budget;
        while (effort.spent() < limit && pair.state().answers()) { // a completion without room ends the queue pair
            Step step = step(draining);
            if (step == Step.NO_ROOM) {
                upcalls.onBlocked();
            }
            if (step != Step.DONE) {
                return false;
            }
        }
        return true;
    }

    private Step step(boolean draining) {
        if (pages.isWaiting() || failing != Status.SUCCESS) {
            return Step.BLOCKED;
        }
        if (!underWay && !begin(draining)) {
            return Step.BLOCKED;
        }
        return underWay ? send() : Step.DONE;
    }

    /** Begins the next request, or does it if it is local; false if there is none that may begin. */
    private boolean begin(boolean draining) {
        long behind = next - queue.retired();
        if (draining || queue.posted() <= behind) {
            return false;
        }
        long slot = ring.slot(next);
        if (SendSlot.is(slots, slot, SendSlot.FLAG_FENCE) && !outstanding.isEmpty()) {
            return false;
        }
        operation = SendSlot.operation(slots, slot);
        if (operation.isLocal()) {
            return doLocally(slot);
        }
        length = SendSlot.messageLength(slots, slot);
        inline = SendSlot.is(slots, slot, SendSlot.FLAG_INLINE);
        segments.load(slots, slot + SendSlot.HEADER_LENGTH, inline ? 0 : SendSlot.segments(slots, slot));
        cursor = 0;
        Status status = admit();
        underWay = status.success();
        return underWay || refuse(status, Verdict.GRANTED);
    }

    private Status admit() {
        boolean consistent = length <= Limits.MESSAGE_MAX
                && (inline ? length <= SendSlot.room(ring.slotLength()) : length == segments.total());
        boolean known = switch (operation) {
            case SEND, SEND_WITH_INVALIDATE, WRITE, WRITE_WITH_IMMEDIATE -> true;
            case READ, FETCH_ADD, COMPARE_SWAP -> !inline;
            default -> false;
        };
        return consistent && known ? Status.SUCCESS : Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
    }

    private boolean doLocally(long slot) {
        Verdict verdict = pair.localWork().execute(slots, slot, operation);
        if (verdict.granted()) {
            onSent();
            return true;
        }
        Status status = operation == Operation.BIND_WINDOW
                ? Status.MEMORY_WINDOW_BIND_ERROR
                : Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
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
        return switch (operation) {
            case READ -> sendRead();
            case FETCH_ADD, COMPARE_SWAP -> sendAtomic();
            default -> cursor > length ? sendImmediate() : sendData();
        };
    }

    private Step sendData() {
        RdmapOpcode opcode = opcode();
        int header = opcode.isTagged() ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
        int room = channel.room();
        if (room <= header) {
            return Step.NO_ROOM;
        }
        int payload = (int) Math.min(room - header, length - cursor);
        boolean last = cursor + payload == length;
        long at = channel.begin(header + payload);
        writeHeader(opcode, at, last);
        Verdict verdict = gather(at + header, payload);
        if (!verdict.granted()) {
            return onRefused(verdict, payload);
        }
        channel.end();
        effort.addBytes(header + payload);
        if (pages.isOpen()) {
            pages.release();
        }
        cursor += payload;
        if (!opcode.isTagged()) {
            sends.advance(payload, last);
        }
        if (last && operation == Operation.WRITE_WITH_IMMEDIATE) {
            cursor = length + 1; // the data is sent, the immediate data is not
        } else if (last) {
            onSent();
        }
        return Step.DONE;
    }

    private RdmapOpcode opcode() {
        boolean solicited = SendSlot.is(slots, ring.slot(next), SendSlot.FLAG_SOLICITED);
        return switch (operation) {
            case SEND -> solicited ? RdmapOpcode.SEND_SOLICITED : RdmapOpcode.SEND;
            case SEND_WITH_INVALIDATE ->
                solicited ? RdmapOpcode.SEND_SOLICITED_INVALIDATE : RdmapOpcode.SEND_INVALIDATE;
            default -> RdmapOpcode.WRITE;
        };
    }

    private void writeHeader(RdmapOpcode opcode, long at, boolean last) {
        long slot = ring.slot(next);
        if (opcode.isTagged()) {
            long offset = SendSlot.remoteAddress(slots, slot) + cursor;
            TaggedHeader.write(channel.memory(), at, opcode, last, SendSlot.remoteKey(slots, slot), offset);
        } else {
            int invalidated = opcode.invalidates() ? SendSlot.argument(slots, slot) : 0;
            UntaggedHeader.write(channel.memory(), at, opcode, last, invalidated, sends.msn(), (int) cursor);
        }
    }

    private Verdict gather(long at, int payload) {
        if (inline) {
            long data = ring.slot(next) + SendSlot.HEADER_LENGTH + cursor;
            MemorySegment.copy(slots, data, channel.memory(), at, payload);
            return Verdict.GRANTED;
        }
        return segments.gather(memory, rights.localRead(), cursor, channel.memory(), at, payload);
    }

    private Step onRefused(Verdict verdict, int payload) {
        if (verdict != Verdict.NOT_RESIDENT) {
            refuse(Status.LOCAL_PROTECTION_ERROR, verdict);
            return Step.BLOCKED;
        }
        counters.add(Counter.GATHER_PAGE_FAULTS);
        Verdict demanded = segments.demand(
                pages.prepare(), rights.localRead(), cursor, payload, length - cursor, Fault.Intent.READ);
        if (!demanded.granted()) {
            refuse(Status.LOCAL_PROTECTION_ERROR, demanded);
            return Step.BLOCKED;
        }
        return pages.start() ? Step.DONE : Step.BLOCKED;
    }

    private void onPages(Verdict outcome) {
        if (!outcome.granted() && underWay) {
            refuse(Status.LOCAL_PROTECTION_ERROR, outcome);
        }
        pair.scheduleResumed();
    }

    /** The immediate data of a write is a message of its own behind it. */
    private Step sendImmediate() {
        int size = UntaggedHeader.LENGTH + ImmediateData.LENGTH;
        if (channel.room() < size) {
            return Step.NO_ROOM;
        }
        long slot = ring.slot(next);
        boolean solicited = SendSlot.is(slots, slot, SendSlot.FLAG_SOLICITED);
        RdmapOpcode opcode = solicited ? RdmapOpcode.IMMEDIATE_SOLICITED : RdmapOpcode.IMMEDIATE;
        long at = channel.begin(size);
        UntaggedHeader.write(channel.memory(), at, opcode, true, 0, sends.msn(), 0);
        ImmediateData.write(
                channel.memory(), at + UntaggedHeader.LENGTH, Integer.toUnsignedLong(SendSlot.argument(slots, slot)));
        channel.end();
        effort.addBytes(size);
        sends.advance(ImmediateData.LENGTH, true);
        onSent();
        return Step.DONE;
    }

    /** One request for each local segment: a read response can name one memory only. */
    private Step sendRead() {
        if (cursor == 0) {
            Verdict verdict = segments.judge(memory, rights.localWrite());
            if (!verdict.granted()) {
                refuse(Status.LOCAL_PROTECTION_ERROR, verdict);
                return Step.BLOCKED;
            }
        }
        int size = UntaggedHeader.LENGTH + ReadRequest.LENGTH;
        if (outstanding.isFull()) {
            return Step.BLOCKED;
        }
        if (channel.room() < size) {
            return Step.NO_ROOM;
        }
        long slot = ring.slot(next);
        boolean empty = length == 0;
        int key = empty ? 0 : segments.keyAt(cursor);
        long address = empty ? 0 : segments.addressAt(cursor);
        long piece = empty ? 0 : segments.leftAt(cursor);
        long at = beginRequest(RdmapOpcode.READ_REQUEST, size);
        ReadRequest.writeSink(channel.memory(), at, key, address);
        ReadRequest.writeSource(
                channel.memory(),
                at,
                SendSlot.remoteKey(slots, slot),
                SendSlot.remoteAddress(slots, slot) + cursor,
                (int) piece);
        endRequest(size);
        outstanding.addRead(next, key, address, piece);
        cursor += piece;
        if (cursor == length) {
            onSent();
        }
        return Step.DONE;
    }

    private Step sendAtomic() {
        int size = UntaggedHeader.LENGTH + AtomicRequest.LENGTH;
        if (outstanding.isFull()) {
            return Step.BLOCKED;
        }
        if (channel.room() < size) {
            return Step.NO_ROOM;
        }
        Verdict verdict = length == Long.BYTES ? segments.judge(memory, rights.localWrite()) : Verdict.OUT_OF_BOUNDS;
        if (!verdict.granted()) {
            refuse(Status.LOCAL_PROTECTION_ERROR, verdict);
            return Step.BLOCKED;
        }
        long slot = ring.slot(next);
        boolean add = operation == Operation.FETCH_ADD;
        long at = beginRequest(RdmapOpcode.ATOMIC_REQUEST, size);
        AtomicRequest.write(
                channel.memory(),
                at,
                (add ? AtomicKind.FETCH_ADD : AtomicKind.COMPARE_SWAP).code(),
                outstanding.nextIdentifier(),
                SendSlot.remoteKey(slots, slot),
                SendSlot.remoteAddress(slots, slot));
        long first = SendSlot.firstOperand(slots, slot);
        long second = SendSlot.secondOperand(slots, slot);
        AtomicRequest.writeOperands(
                channel.memory(), at, add ? first : second, add ? 0 : -1L, add ? 0 : first, add ? 0 : -1L);
        endRequest(size);
        outstanding.addAtomic(next);
        onSent();
        return Step.DONE;
    }

    private long beginRequest(RdmapOpcode opcode, int size) {
        long at = channel.begin(size);
        UntaggedHeader.write(channel.memory(), at, opcode, true, 0, requests.msn(), 0);
        return at + UntaggedHeader.LENGTH;
    }

    private void endRequest(int size) {
        channel.end();
        effort.addBytes(size);
        requests.advance(size, true);
    }

    /** All of the request is sent. */
    private void onSent() {
        underWay = false;
        next++;
        retireDone();
    }

    /** Retires the oldest requests that are done, and one that fails behind them. */
    private void retireDone() {
        while (queue.retired() < next && (outstanding.isEmpty() || outstanding.position() > queue.retired())) {
            if (!pair.retire(Status.SUCCESS, Verdict.GRANTED)) {
                return;
            }
        }
        if (failing != Status.SUCCESS && queue.retired() == next) {
            Status status = failing;
            failing = Status.SUCCESS;
            if (pair.retire(status, failingVerdict)) {
                upcalls.fail(TerminateCode.RDMAP_CATASTROPHIC, "a request failed: " + status.text());
            }
        }
    }

    // --- answers

    /** Whether the oldest request that is not answered is an atomic. */
    boolean awaitsAtomic() {
        return !outstanding.isEmpty() && outstanding.isAtomic();
    }

    /**
     * Judges a segment of a read response: it must be the next of the oldest read.
     *
     * @return null if it is
     */
    @Nullable
    TerminateCode judgeRead(int key, long address, int count, boolean last) {
        if (outstanding.isEmpty() || outstanding.isAtomic()) {
            return TerminateCode.RDMAP_UNEXPECTED_OPCODE;
        }
        if (count > 0 && key != outstanding.key()) {
            return TerminateCode.DDP_INVALID_STAG;
        }
        boolean fits = count <= outstanding.remaining() && last == (count == outstanding.remaining());
        boolean next = count == 0 || address == outstanding.address();
        return fits && next ? null : TerminateCode.DDP_BASE_OR_BOUNDS;
    }

    /** Places data of the oldest read. */
    Verdict placeRead(MemorySegment source, long at, int count) {
        return memory.place(
                rights.localWrite(),
                outstanding.key(),
                outstanding.address(),
                source,
                at,
                count,
                outstanding.remaining());
    }

    /** Adds to a fault the pages of data of the oldest read. */
    Verdict demandRead(Fault fault, int count) {
        return fault.add(
                rights.localWrite(),
                outstanding.key(),
                outstanding.address(),
                count,
                outstanding.remaining(),
                Fault.Intent.OVERWRITE);
    }

    /** Data of the oldest read is in place. */
    void onReadPlaced(int count, boolean last) {
        outstanding.onPlaced(count);
        if (last) {
            onAnswered();
        }
    }

    /** Places the value that the oldest atomic has found, in the byte order of this machine. */
    Verdict placeOriginal(long value) {
        original.set(ValueLayout.JAVA_LONG, 0, value);
        long slot = ring.slot(outstanding.position());
        landing.load(slots, slot + SendSlot.HEADER_LENGTH, SendSlot.segments(slots, slot));
        int count = (int) Math.min(Long.BYTES, landing.total());
        return landing.place(memory, rights.localWrite(), 0, original, 0, count);
    }

    /** Adds to a fault the page of the value that the oldest atomic has found. */
    Verdict demandOriginal(Fault fault) {
        return landing.demand(fault, rights.localWrite(), 0, landing.total(), landing.total(), Fault.Intent.WRITE);
    }

    /** The oldest request is answered. */
    void onAnswered() {
        outstanding.remove();
        retireDone();
        pair.schedule();
    }

    /** The oldest outstanding request fails with this status; all others will be flushed. */
    void failOldest(Status status) {
        if (!outstanding.isEmpty() && outstanding.position() == queue.retired()) {
            pair.retire(status, Verdict.GRANTED);
            outstanding.clear();
        }
    }
}
