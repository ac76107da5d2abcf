package org.verbena.adapter.ib.reliable;

import java.lang.foreign.MemorySegment;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.adapter.ib.message.SendData;
import org.verbena.adapter.pair.LocalWork;
import org.verbena.adapter.pair.PageWait;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.link.Packet;
import org.verbena.memory.Verdict;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Operation;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.queue.Status;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Position;
import org.verbena.wire.ib.Reth;

/** Takes work requests from the send ring, in order, and sends them packet by packet within the window. */
final class Requester {
    /** How a step ended. */
    private enum Step {
        /** A packet left, or a request was done without one. */
        DONE,
        /** Nothing to do until something is posted or answered. */
        BLOCKED,
        /** The link has no room now. */
        NO_ROOM
    }

    private final ReliableConnection connection;
    private final Transmitter transmitter;
    private final Effort effort;
    private final ProtectionTable memory;
    private final Counters counters;
    private final Ring ring;
    private final MemorySegment slots;
    private final Outstanding outstanding;
    private final SendData data;
    private final LocalWork localWork;
    private final Landings landings;
    private final PageWait pages;
    /** The number of the request that waits for pages where its answer will land. */
    private int landingPsn = -1;
    /** The request that waits for pages. */
    private long waiting;

    private Mtu mtu = Mtu.MTU_256;
    private int outstandingReadsMax;
    private int outstandingReads;
    private int readRequestPackets = 1;
    private int ackEvery = 1;

    Requester(
            ReliableConnection connection,
            EngineParts parts,
            Transmitter transmitter,
            Pair pair,
            Outstanding outstanding) {
        this.connection = connection;
        this.transmitter = transmitter;
        this.effort = parts.effort();
        this.memory = parts.memory();
        this.counters = parts.counters();
        this.ring = pair.sends().ring();
        this.slots = ring.memory();
        this.outstanding = outstanding;
        this.data = new SendData(ring);
        this.localWork = pair.localWork();
        this.landings = new Landings(parts);
        this.pages = new PageWait(parts, this::onPages);
    }

    void begin(Mtu pathMtu, int readsMax) {
        mtu = pathMtu;
        outstandingReadsMax = readsMax;
        outstandingReads = 0;
        readRequestPackets = Limits.READ_REQUEST_BYTES / pathMtu.bytes();
        ackEvery = Math.max(1, Congestion.WINDOW_FIRST / 4);
        data.begin();
        release();
    }

    /** Keeps no pages and waits for none. */
    void release() {
        pages.release();
        landings.clear();
    }

    /** Sends until the budget is used up (true), the link is full (true), or nothing is left that may be sent (false). */
    boolean transmit(long nowNs, int budget) {
        long limit = effort.spent() + budget;
        for (int left = budget; left > 0 && effort.spent() < limit; left--) {
            switch (step(nowNs)) {
                case DONE -> {}
                case BLOCKED -> {
                    return false;
                }
                case NO_ROOM -> {
                    return true;
                }
            }
        }
        return true;
    }

    /** Everything not answered was refused, and will be sent again: no answer is under way. */
    void goBackRefused() {
        landings.clear();
        goBack();
    }

    /** Everything not answered will be sent again; answers may come nevertheless, and have where to land. */
    void goBack() {
        if (outstanding.nextPsn() != outstanding.unackedPsn()) {
            pages.release(); // of what leaves next then nothing may be missing
        }
        outstanding.seekUnacked();
        outstandingReads = 0;
        landings.goBack();
        connection.roundTrip().onResent();
    }

    /** A read request, or the part of a read work request that was one, has been answered in full; or an atomic. */
    void onReadAnswered() {
        outstandingReads = Math.max(0, outstandingReads - 1);
        landings.onAnswered();
    }

    /** Whether the answer with this index in a read request is the last of what went in one request. */
    boolean endsReadRequest(int index, int count) {
        return index == count - 1 || index % readRequestPackets == readRequestPackets - 1;
    }

    private Step step(long nowNs) {
        if (!outstanding.hasUnposted() || connection.isHeld()) {
            return Step.BLOCKED;
        }
        if (pages.isWaiting()) {
            return awaitOnlyPages();
        }
        long position = outstanding.current();
        long slot = ring.slot(position);
        if (!outstanding.isStarted(position)) {
            return startOrWait(nowNs, slot, SendSlot.operation(slots, slot));
        }
        Operation operation = outstanding.operation(position);
        if (operation.isLocal()) {
            outstanding.skip();
            return Step.DONE;
        }
        return send(nowNs, position, slot, operation);
    }

    private Step startOrWait(long nowNs, long slot, Operation operation) {
        if (connection.isDraining()
                || mustWaitForReads(slot)
                || connection.credits().mustWait(operation, outstanding.anyStarted())) {
            return Step.BLOCKED;
        }
        if (operation.isLocal()) {
            return doLocally(slot, operation);
        }
        long length = SendSlot.messageLength(slots, slot);
        boolean inline = SendSlot.is(slots, slot, SendSlot.FLAG_INLINE);
        SegmentList segments = data.load(outstanding.current(), inline);
        if (!isConsistent(operation, length, inline)) {
            return fail(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Verdict.GRANTED);
        }
        if (operation.returnsData()) {
            Verdict verdict = segments.judge(memory, connection.rights().localWrite());
            if (!verdict.granted()) {
                return fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            }
        }
        int packets = operation.awaitsAnswer() && operation != Operation.READ ? 1 : mtu.packets(length);
        outstanding.start(packets, operation, length, inline);
        connection.credits().onStarted(operation == Operation.READ ? requestsFor(packets) : 1);
        return send(nowNs, outstanding.current(), slot, operation);
    }

    private int requestsFor(int packets) {
        return (packets + readRequestPackets - 1) / readRequestPackets;
    }

    private boolean mustWaitForReads(long slot) {
        return outstandingReads > 0 && SendSlot.is(slots, slot, SendSlot.FLAG_FENCE);
    }

    private boolean isConsistent(Operation operation, long length, boolean inline) {
        return !operation.isReceive()
                && operation != Operation.UNKNOWN
                && (outstandingReadsMax > 0 || !operation.awaitsAnswer())
                && (length == Long.BYTES || operation != Operation.ATOMIC_WRITE)
                && (!inline || !operation.returnsData())
                && data.isConsistent(length, inline);
    }

    private Step doLocally(long slot, Operation operation) {
        Verdict verdict = localWork.execute(slots, slot, operation);
        if (!verdict.granted()) {
            Status status = operation == Operation.BIND_WINDOW
                    ? Status.MEMORY_WINDOW_BIND_ERROR
                    : Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
            return fail(status, verdict);
        }
        outstanding.start(0, operation, 0, false);
        outstanding.skip();
        connection.completer().retireLocalWork();
        return Step.DONE;
    }

    private Step send(long nowNs, long position, long slot, Operation operation) {
        return operation.awaitsAnswer()
                ? sendReadOrAtomic(nowNs, position, slot, operation)
                : sendData(nowNs, position, slot, operation);
    }

    private Step sendData(long nowNs, long position, long slot, Operation operation) {
        int window = connection.congestion().window();
        int inFlight = outstanding.inFlight();
        if (inFlight >= window) {
            return Step.BLOCKED;
        }
        int index = outstanding.cursor();
        int count = outstanding.psnCount(position);
        Opcode opcode = RequestOpcodes.RELIABLE.of(operation, Position.of(index, count));
        long offset = (long) index * mtu.bytes();
        int payload = (int) Math.min(mtu.bytes(), outstanding.length(position) - offset);
        boolean ack = index == count - 1 || inFlight + 1 >= window || index % ackEvery == ackEvery - 1;
        boolean solicited = index == count - 1 && SendSlot.is(slots, slot, SendSlot.FLAG_SOLICITED);
        Packet packet = transmitter.begin(connection.peer(), opcode, payload, outstanding.nextPsn(), ack, solicited);
        if (packet == null) {
            return Step.NO_ROOM;
        }
        Verdict verdict = writeData(packet, opcode, position, offset, payload);
        if (!verdict.granted()) {
            transmitter.abandon(packet);
            return verdict == Verdict.NOT_RESIDENT
                    ? awaitData(position, offset, payload)
                    : fail(Status.LOCAL_PROTECTION_ERROR, verdict);
        }
        transmitter.end(packet);
        return sent(nowNs, 1, ack);
    }

    /** What is to be sent is not there: nothing leaves until it is. */
    private Step awaitData(long position, long offset, int payload) {
        counters.add(Counter.GATHER_PAGE_FAULTS);
        landingPsn = -1;
        return awaitPages(
                connection.rights().localRead(),
                offset,
                payload,
                outstanding.length(position) - offset,
                Fault.Intent.READ);
    }

    /** Pages of the current request, whose segments are in hand. */
    private Step awaitPages(Accessor who, long offset, long length, long remaining, Fault.Intent intent) {
        waiting = outstanding.current();
        Verdict verdict = data.load(waiting, false).demand(pages.prepare(), who, offset, length, remaining, intent);
        if (!verdict.granted()) {
            pages.release();
            return fail(Status.LOCAL_PROTECTION_ERROR, verdict);
        }
        return pages.start() ? Step.DONE : awaitOnlyPages();
    }

    /** While nothing is on its way no time for an answer runs. */
    private Step awaitOnlyPages() {
        if (outstanding.inFlight() == 0) {
            connection.retry().stop();
        }
        return Step.BLOCKED;
    }

    private void onPages(Verdict outcome) {
        if (!outcome.granted() && waiting >= outstanding.retired()) {
            connection.failWhenReached(waiting, Status.LOCAL_PROTECTION_ERROR, outcome);
        }
        connection.scheduleResumed();
    }

    /** The extension headers and the data behind them. */
    private Verdict writeData(Packet packet, Opcode opcode, long position, long offset, int payload) {
        boolean inline = outstanding.inline(position);
        data.load(position, inline);
        data.extend(packet, opcode, position, outstanding.length(position));
        return data.gather(
                memory, connection.rights().localRead(), packet, opcode.headerLength(), offset, payload, inline);
    }

    private Step sendReadOrAtomic(long nowNs, long position, long slot, Operation operation) {
        int index = outstanding.cursor();
        int count = outstanding.psnCount(position);
        int end = Math.min(count, (index / readRequestPackets + 1) * readRequestPackets);
        int inFlight = outstanding.inFlight();
        if (outstandingReads >= outstandingReadsMax
                || (inFlight > 0
                        && inFlight + end - index > connection.congestion().window())) {
            return Step.BLOCKED;
        }
        boolean write = operation == Operation.ATOMIC_WRITE;
        long from = (long) index * mtu.bytes();
        long length = write ? 0 : landingLength(operation, position, from, end);
        Verdict held = holdLanding(position, from, length);
        if (!held.granted()) {
            return held == Verdict.NOT_RESIDENT
                    ? awaitLanding(from, length)
                    : fail(Status.LOCAL_PROTECTION_ERROR, held);
        }
        Opcode opcode = RequestOpcodes.RELIABLE.of(operation, Position.ONLY);
        int payload = write ? Long.BYTES : 0;
        Packet packet = transmitter.begin(connection.peer(), opcode, payload, outstanding.nextPsn(), true, false);
        if (packet == null) {
            landings.undo();
            return Step.NO_ROOM;
        }
        switch (operation) {
            case READ -> writeReadRequest(packet, position, index, end);
            case ATOMIC_WRITE -> {
                Verdict verdict = writeData(packet, opcode, position, 0, payload);
                if (!verdict.granted()) {
                    transmitter.abandon(packet);
                    landings.undo();
                    return verdict == Verdict.NOT_RESIDENT
                            ? awaitData(position, 0, payload)
                            : fail(Status.LOCAL_PROTECTION_ERROR, verdict);
                }
            }
            default -> writeAtomicRequest(packet, slot, operation);
        }
        transmitter.end(packet);
        outstandingReads++;
        return sent(nowNs, end - index, true);
    }

    private long landingLength(Operation operation, long position, long from, int end) {
        long bytes = outstanding.length(position);
        return operation == Operation.READ
                ? Math.min(bytes, (long) end * mtu.bytes()) - from
                : Math.min(bytes, Long.BYTES);
    }

    /** Where the answer will land is not there: it is not asked for until it is. */
    private Step awaitLanding(long offset, long length) {
        counters.add(Counter.LANDING_PAGE_FAULTS);
        landingPsn = outstanding.nextPsn();
        return awaitPages(connection.rights().localWrite(), offset, length, length, Fault.Intent.LANDING);
    }

    /** Either what a fault has brought in for this request, or what is there. */
    private Verdict holdLanding(long position, long from, long length) {
        if (pages.isOpen() && landingPsn == outstanding.nextPsn()) {
            landingPsn = -1;
            Fault landed = pages.take();
            if (landed != null) {
                landings.adopt(landed);
                return Verdict.GRANTED;
            }
        }
        SegmentList landing = data.load(position, outstanding.inline(position));
        return landings.hold(landing, connection.rights().localWrite(), from, length);
    }

    private void writeReadRequest(Packet packet, long position, int index, int end) {
        long slot = ring.slot(position);
        long offset = (long) index * mtu.bytes();
        long length = Math.min(outstanding.length(position), (long) end * mtu.bytes()) - offset;
        Reth.write(
                packet.segment(),
                packet.offset() + Opcode.RC_RDMA_READ_REQUEST.offsetOf(Extension.RETH),
                SendSlot.remoteAddress(slots, slot) + offset,
                SendSlot.remoteKey(slots, slot),
                (int) length);
    }

    private void writeAtomicRequest(Packet packet, long slot, Operation operation) {
        long first = SendSlot.firstOperand(slots, slot);
        boolean add = operation == Operation.FETCH_ADD;
        long swapOrAdd = add ? first : SendSlot.secondOperand(slots, slot);
        long eth = (long) packet.offset() + Opcode.RC_FETCH_ADD.offsetOf(Extension.ATOMIC_ETH);
        AtomicEth.write(packet.segment(), eth, SendSlot.remoteAddress(slots, slot), SendSlot.remoteKey(slots, slot));
        AtomicEth.writeOperands(packet.segment(), eth, swapOrAdd, add ? 0 : first);
    }

    private Step sent(long nowNs, int psns, boolean asksForAnswer) {
        if (outstanding.resending()) {
            counters.add(Counter.RETRANSMITTED_PACKETS);
        } else if (asksForAnswer) {
            connection.roundTrip().onSent(outstanding.nextPsn(), nowNs);
        }
        outstanding.advance(psns);
        if (pages.isOpen()) {
            pages.release();
        }
        connection.retry().onSent(nowNs);
        return Step.DONE;
    }

    /** The current request can't be done. It is told so when those before it are done; nothing leaves any more. */
    private Step fail(Status status, Verdict verdict) {
        connection.failWhenReached(outstanding.current(), status, verdict);
        return Step.BLOCKED;
    }
}
