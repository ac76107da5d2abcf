package org.verbena.adapter.ib.reliable;

import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.link.Packet;
import org.verbena.queue.Ring;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Syndrome;

/**
 * Takes the peer's answers and retires the requests that they answer, in order. An answer to a later request answers the sends
 * and writes before it too. It does not answer reads and atomics, which need their data: if it passes over one, that one's answer
 * was lost, which is a matter of {@link Recovery}.
 */
final class Completer {
    private final ReliableConnection connection;
    private final Counters counters;
    private final Outstanding outstanding;
    private final AnswerLanding landing;
    private final Recovery recovery;
    private Mtu mtu = Mtu.MTU_256;

    Completer(ReliableConnection connection, EngineParts parts, Ring ring, Outstanding outstanding) {
        this.connection = connection;
        this.counters = parts.counters();
        this.outstanding = outstanding;
        this.landing = new AnswerLanding(ring, parts.memory(), connection.rights());
        this.recovery = new Recovery(connection, counters, outstanding);
    }

    void begin(Mtu pathMtu) {
        mtu = pathMtu;
        landing.begin();
        recovery.begin();
    }

    Recovery recovery() {
        return recovery;
    }

    void receive(long nowNs, Packet packet, Opcode opcode) {
        int psn = Bth.psn(packet.segment(), packet.offset());
        if (!isAwaited(psn, opcode, packet) || isRefusalWithData(packet, opcode)) {
            drop();
            return;
        }
        switch (opcode) {
            case RC_ACKNOWLEDGE -> onAcknowledge(nowNs, packet, opcode, psn);
            case RC_ATOMIC_ACKNOWLEDGE -> onAtomicAcknowledge(nowNs, packet, opcode, psn);
            default -> onReadResponse(nowNs, packet, opcode, psn);
        }
    }

    /** Data comes with an acknowledgement. A refusal that carries data is neither. */
    private static boolean isRefusalWithData(Packet packet, Opcode opcode) {
        return opcode != Opcode.RC_ACKNOWLEDGE && opcode.carriesAeth() && !Syndrome.isAck(syndrome(packet, opcode));
    }

    private void drop() {
        counters.add(Counter.DROPPED_UNEXPECTED_RESPONSE);
    }

    /** An answer names a number that was sent and is not answered; an acknowledgement also the number that was answered last. */
    private boolean isAwaited(int psn, Opcode opcode, Packet packet) {
        int fromUnacked = Psn.distance(outstanding.unackedPsn(), psn);
        boolean sent = Psn.distance(psn, outstanding.freshPsn()) > 0;
        if (opcode == Opcode.RC_ACKNOWLEDGE && Syndrome.isAck(syndrome(packet, opcode))) {
            return fromUnacked >= -1 && sent;
        }
        return fromUnacked >= 0 && sent;
    }

    private static int syndrome(Packet packet, Opcode opcode) {
        return Aeth.syndrome(packet.segment(), packet.offset() + opcode.offsetOf(Extension.AETH));
    }

    private void onAcknowledge(long nowNs, Packet packet, Opcode opcode, int psn) {
        int syndrome = syndrome(packet, opcode);
        if (Syndrome.isAck(syndrome)) {
            connection.credits().onAcknowledge(syndrome, Aeth.msn(packet.segment(), packet.offset() + Bth.LENGTH));
            if (connection.retry().awaitsReceiver() && Psn.next(psn) == outstanding.unackedPsn()) {
                recovery.onReceiverReady(nowNs);
            } else if (!acknowledge(nowNs, psn)) {
                recovery.onGap(nowNs, psn);
            }
        } else if (Syndrome.isRnrNak(syndrome)) {
            onReceiverNotReady(nowNs, syndrome, psn);
        } else if (Syndrome.isNak(syndrome)) {
            onRefusal(nowNs, Syndrome.nakCode(syndrome), psn);
        } else {
            drop();
        }
    }

    private void onReceiverNotReady(long nowNs, int syndrome, int psn) {
        counters.add(Counter.RECEIVED_RNR_NAKS);
        if (reaches(nowNs, psn)) {
            recovery.onReceiverNotReady(nowNs, Syndrome.rnrTimer(syndrome).nanoseconds());
        }
    }

    private void onRefusal(long nowNs, @Nullable NakCode code, int psn) {
        boolean loss = !acknowledge(nowNs, Psn.previous(psn)) || code == NakCode.PSN_SEQUENCE_ERROR;
        counters.add(loss ? Counter.RECEIVED_SEQUENCE_NAKS : Counter.RECEIVED_ERROR_NAKS);
        if (!connection.takesPackets()) {
            return; // a completion found no room, and the queue pair has failed
        }
        if (loss) {
            recovery.onLoss(nowNs);
        } else {
            connection.fail(statusOf(code), Verdict.GRANTED);
        }
    }

    private static Status statusOf(@Nullable NakCode code) {
        if (code == NakCode.INVALID_REQUEST) {
            return Status.REMOTE_INVALID_REQUEST;
        }
        return code == NakCode.REMOTE_ACCESS_ERROR ? Status.REMOTE_ACCESS_ERROR : Status.REMOTE_OPERATIONAL_ERROR;
    }

    /** Whether all requests before the one with this number are retired, so that its answer can be taken. */
    private boolean reaches(long nowNs, int psn) {
        if (!acknowledge(nowNs, Psn.previous(psn))) {
            recovery.onGap(nowNs, psn);
            return false;
        }
        return connection.takesPackets(); // false if a completion found no room, and the queue pair has failed
    }

    private void onReadResponse(long nowNs, Packet packet, Opcode opcode, int psn) {
        if (!reaches(nowNs, psn)) {
            return;
        }
        long position = outstanding.retired();
        int index = Psn.distance(outstanding.firstPsn(position), psn) & Psn.MASK;
        int count = outstanding.psnCount(position);
        int padCount = Bth.padCount(packet.segment(), packet.offset());
        int payload = opcode.payloadLength(packet.length(), padCount);
        long offset = (long) index * mtu.bytes();
        boolean endsRequest = connection.requester().endsReadRequest(index, count);
        boolean read = outstanding.operation(position) == Operation.READ;
        boolean write = outstanding.operation(position) == Operation.ATOMIC_WRITE;
        if (!(read || write)
                || index >= count
                || opcode.endsMessage() != endsRequest
                || payload != (read ? Math.min(mtu.bytes(), outstanding.length(position) - offset) : 0)) {
            drop();
            return;
        }
        if (write) {
            answered(nowNs, position, Verdict.GRANTED, true);
        } else {
            answered(nowNs, position, landing.placeRead(position, offset, packet, opcode, payload), endsRequest);
        }
    }

    private void onAtomicAcknowledge(long nowNs, Packet packet, Opcode opcode, int psn) {
        if (!reaches(nowNs, psn)) {
            return;
        }
        long position = outstanding.retired();
        Operation operation = outstanding.operation(position);
        if (operation == Operation.READ || !operation.returnsData()) {
            drop();
            return;
        }
        answered(nowNs, position, landing.placeOriginal(position, packet, opcode), true);
    }

    /** One more answer to the oldest request came. */
    private void answered(long nowNs, long position, Verdict verdict, boolean endsRequest) {
        if (verdict == Verdict.NOT_RESIDENT) {
            // A late answer: the request went back to be sent again, and released the pages.
            counters.add(Counter.DROPPED_PAGE_FAULT);
            return;
        }
        if (!verdict.granted()) {
            connection.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            return;
        }
        int psn = outstanding.unackedPsn();
        outstanding.acknowledgedBefore(Psn.next(psn));
        if (endsRequest) {
            connection.requester().onReadAnswered();
        }
        int last = Psn.add(outstanding.firstPsn(position), outstanding.psnCount(position) - 1);
        if (psn == last) {
            retire();
            retireLocalWork();
        }
        progressed(nowNs, 1);
    }

    /**
     * All packets up to {@code psn} have arrived: retires the sends and writes among the requests.
     *
     * @return false when a read or an atomic among them has no answer yet
     */
    private boolean acknowledge(long nowNs, int psn) {
        int before = outstanding.unackedPsn();
        boolean complete = true;
        for (int left = Psn.distance(before, psn) + 1; left > 0 && outstanding.anyStarted(); ) {
            long position = outstanding.retired();
            if (outstanding.operation(position).awaitsAnswer()) {
                complete = false;
                break;
            }
            int into = outstanding.unackedPsn() - outstanding.firstPsn(position) & Psn.MASK;
            int step = Math.min(left, outstanding.psnCount(position) - into);
            outstanding.acknowledgedBefore(Psn.add(outstanding.unackedPsn(), step));
            left -= step;
            if (into + step == outstanding.psnCount(position)) {
                retire();
                retireLocalWork();
            }
        }
        int packets = Psn.distance(before, outstanding.unackedPsn());
        if (packets > 0) {
            progressed(nowNs, packets);
        }
        return complete;
    }

    private void progressed(long nowNs, int packets) {
        recovery.onProgress();
        int unacked = outstanding.unackedPsn();
        boolean slow = connection.patience().onAnswered(packets, nowNs);
        boolean late = Psn.distance(outstanding.nextPsn(), unacked) > 0;
        if (slow || late) {
            connection.congestion().onLate();
        }
        connection.congestion().onAcknowledged(packets, unacked);
        connection.roundTrip().onAcknowledged(unacked, nowNs);
        if (slow) {
            connection.requester().goOn();
        } else if (late) {
            connection.requester().goBack();
        } else {
            connection.requester().onProgress();
        }
        connection.onProgress(nowNs);
    }

    private void retire() {
        connection.retireOldest(Status.SUCCESS, Verdict.GRANTED);
    }

    /** Retires the oldest requests that were done locally, and fails the next one if it cannot be done. */
    void retireLocalWork() {
        while (outstanding.anyStarted() && outstanding.psnCount(outstanding.retired()) == 0) {
            retire();
        }
        connection.failIfReached();
    }
}
