package org.verbena.adapter.ib.reliable;

import java.lang.foreign.MemorySegment;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.adapter.ib.message.SendData;
import org.verbena.adapter.pair.LocalWork;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.link.Packet;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Position;

/**
 * Takes work requests from the send ring, in order, and sends them packet by packet. It decides which packet may leave: by window,
 * credits, fences and the limit of reads under way. {@link RequestWriter} writes the packets, {@link RequestPages} has their pages.
 */
final class Requester {
    /** How a step ended. */
    private enum Step {
        /** A packet left, or a request was done without one. */
        DONE,
        /** Nothing can leave until a request is posted, an answer comes, or pages come. */
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
    private final RequestWriter writer;
    private final RequestPages pages;

    private Mtu mtu = Mtu.MTU_256;
    private int outstandingReadsMax;
    private int outstandingReads;
    /** The peer was asked by the oldest request: no other leaves until it answers. */
    private boolean asksByOne;

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
        this.writer = new RequestWriter(ring, outstanding, data, memory, pair.rights());
        this.pages = new RequestPages(connection, parts, outstanding, data);
    }

    void begin(Mtu pathMtu, int readsMax) {
        mtu = pathMtu;
        outstandingReadsMax = readsMax;
        outstandingReads = 0;
        asksByOne = false;
        readRequestPackets = Limits.READ_REQUEST_BYTES / pathMtu.bytes();
        ackEvery = Math.max(1, Congestion.WINDOW_FIRST / 4);
        data.begin();
        release();
    }

    /** Releases all pages, and waits for none. */
    void release() {
        pages.release();
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

    /** The peer refused all requests that are not answered: they will be sent again, and no answer is under way. */
    void goBackRefused() {
        pages.releaseLandings();
        goBack();
    }

    /** All requests that are not answered count as lost and will be sent again; answers may be under way. */
    void goBack() {
        pages.goBack();
        outstanding.goBack();
        onWentBack();
    }

    private void onWentBack() {
        outstandingReads = 0;
        asksByOne = false;
        connection.roundTrip().onResent();
    }

    /**
     * The peer is silent: requests that are not answered are sent again, until an answer shows which are lost.
     *
     * @param byOne whether only the oldest is sent before there is an answer
     */
    void ask(boolean byOne) {
        pages.ask();
        outstanding.ask();
        onWentBack();
        asksByOne = byOne;
    }

    /** An answer shows that the peer was slow: the requests that were sent before it was asked are not sent again. */
    void goOn() {
        outstandingReads = pages.goOn();
        outstanding.goOn();
        asksByOne = false;
    }

    /** An answer brought progress. */
    void onProgress() {
        asksByOne = false;
    }

    /** A read request, of which a long read has several, or an atomic has been answered in full. */
    void onReadAnswered() {
        outstandingReads = Math.max(0, outstandingReads - 1);
        pages.onAnswered();
    }

    /** Whether the answer with this index in a read is the last answer to one read request. */
    boolean endsReadRequest(int index, int count) {
        return index == count - 1 || index % readRequestPackets == readRequestPackets - 1;
    }

    private Step step(long nowNs) {
        if (!outstanding.hasUnposted() || connection.isHeld() || (asksByOne && outstanding.inFlight() > 0)) {
            return Step.BLOCKED;
        }
        if (pages.isWaiting()) {
            return awaitPages();
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
            return doLocally(operation);
        }
        long length = SendSlot.messageLength(slots, slot);
        boolean inline = SendSlot.is(slots, slot, SendSlot.FLAG_INLINE);
        SegmentList segments = data.load(outstanding.current(), inline);
        if (!isConsistent(operation, length, inline)) {
            return fail(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Verdict.GRANTED);
        }
        if (localWork.registersFirst(outstanding.current(), operation)) {
            Verdict verdict = localWork.registerFirst(outstanding.current());
            if (!verdict.granted()) {
                return failLocally(Operation.REGISTER, verdict);
            }
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

    private Step doLocally(Operation operation) {
        Verdict verdict = localWork.execute(outstanding.current(), operation);
        if (!verdict.granted()) {
            return failLocally(operation, verdict);
        }
        outstanding.start(0, operation, 0, false);
        outstanding.skip();
        connection.completer().retireLocalWork();
        return Step.DONE;
    }

    private Step failLocally(Operation operation, Verdict verdict) {
        Status status = operation == Operation.BIND_WINDOW
                ? Status.MEMORY_WINDOW_BIND_ERROR
                : Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
        connection.failWhenReached(outstanding.current(), status, verdict, connection.survives(operation));
        return Step.BLOCKED;
    }

    private Step send(long nowNs, long position, long slot, Operation operation) {
        return operation.awaitsAnswer()
                ? sendReadOrAtomic(nowNs, position, operation)
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
        Verdict verdict = writer.writeData(packet, opcode, position, offset, payload);
        if (!verdict.granted()) {
            transmitter.abandon(packet);
            return onDataRefused(verdict, position, offset, payload);
        }
        transmitter.end(packet);
        return sent(nowNs, 1, ack);
    }

    private Step onDataRefused(Verdict verdict, long position, long offset, int payload) {
        return verdict == Verdict.NOT_RESIDENT
                ? startFault(pages.demandData(position, offset, payload))
                : fail(Status.LOCAL_PROTECTION_ERROR, verdict);
    }

    private Step startFault(Verdict demanded) {
        if (!demanded.granted()) {
            return fail(Status.LOCAL_PROTECTION_ERROR, demanded);
        }
        return pages.start() ? Step.DONE : awaitPages();
    }

    /** While no packet is on its way, no deadline of an answer counts. */
    private Step awaitPages() {
        if (outstanding.inFlight() == 0) {
            connection.retry().stop();
        }
        return Step.BLOCKED;
    }

    private Step sendReadOrAtomic(long nowNs, long position, Operation operation) {
        int index = outstanding.cursor();
        int count = outstanding.psnCount(position);
        int end = Math.min(count, (index / readRequestPackets + 1) * readRequestPackets);
        int inFlight = outstanding.inFlight();
        if (outstandingReads >= outstandingReadsMax
                || (inFlight > 0
                        && inFlight + end - index > connection.congestion().window())) {
            return Step.BLOCKED;
        }
        long from = (long) index * mtu.bytes();
        long length = landingLength(operation, position, from, end);
        Verdict held = pages.holdLanding(position, from, length);
        if (!held.granted()) {
            return held == Verdict.NOT_RESIDENT
                    ? startFault(pages.demandLanding(from, length))
                    : fail(Status.LOCAL_PROTECTION_ERROR, held);
        }
        Opcode opcode = RequestOpcodes.RELIABLE.of(operation, Position.ONLY);
        int payload = operation == Operation.ATOMIC_WRITE ? Long.BYTES : 0;
        Packet packet = transmitter.begin(connection.peer(), opcode, payload, outstanding.nextPsn(), true, false);
        if (packet == null) {
            pages.undoHold();
            return Step.NO_ROOM;
        }
        Verdict verdict = Verdict.GRANTED;
        switch (operation) {
            case READ -> writer.writeRead(packet, position, from, length);
            case ATOMIC_WRITE -> verdict = writer.writeData(packet, opcode, position, 0, payload);
            default -> writer.writeAtomic(packet, position, operation);
        }
        if (!verdict.granted()) {
            transmitter.abandon(packet);
            pages.undoHold();
            return onDataRefused(verdict, position, 0, payload);
        }
        transmitter.end(packet);
        outstandingReads++;
        return sent(nowNs, end - index, true);
    }

    /** Bytes that the answers to one request bring. */
    private long landingLength(Operation operation, long position, long from, int end) {
        long bytes = outstanding.length(position);
        return switch (operation) {
            case READ -> Math.min(bytes, (long) end * mtu.bytes()) - from;
            case ATOMIC_WRITE -> 0;
            default -> Math.min(bytes, Long.BYTES);
        };
    }

    private Step sent(long nowNs, int psns, boolean asksForAnswer) {
        if (outstanding.resending()) {
            counters.add(Counter.RETRANSMITTED_PACKETS);
        } else if (asksForAnswer) {
            connection.roundTrip().onSent(outstanding.nextPsn(), nowNs);
        }
        outstanding.advance(psns);
        pages.onSent();
        connection.retry().onSent(nowNs);
        return Step.DONE;
    }

    /** The current request cannot be done: it fails when all requests before it are done, and nothing leaves any more. */
    private Step fail(Status status, Verdict verdict) {
        connection.failWhenReached(outstanding.current(), status, verdict);
        return Step.BLOCKED;
    }
}
