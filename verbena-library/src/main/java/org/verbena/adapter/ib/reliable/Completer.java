package org.verbena.adapter.ib.reliable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.link.Packet;
import org.verbena.memory.Verdict;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Operation;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.queue.Status;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.AtomicAckEth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Syndrome;

/**
 * Takes the peer's answers and retires what they answer, in order. An answer to a later request answers the sends and
 * writes before it too, but not the reads and atomics: those need their data, and one that is passed over was lost.
 */
final class Completer {
    private final ReliableConnection connection;
    private final ProtectionTable memory;
    private final Counters counters;
    private final Ring ring;
    private final MemorySegment slots;
    private final Outstanding outstanding;
    private final SegmentList landing;
    private final MemorySegment original = Arena.ofAuto().allocate(8, 8);

    private Mtu mtu = Mtu.MTU_256;
    private long loaded = -1;
    private int wentBackTo;
    private long wentBackNs;
    private boolean wentBack;
    /** Of the answers that passed over a lost one since then, the newest. */
    private int passedPsn;

    Completer(ReliableConnection connection, EngineParts parts, Ring ring, Outstanding outstanding) {
        this.connection = connection;
        this.memory = parts.memory();
        this.counters = parts.counters();
        this.ring = ring;
        this.slots = ring.memory();
        this.outstanding = outstanding;
        this.landing = SegmentList.within(SendSlot.room(ring.slotLength()));
    }

    void begin(Mtu pathMtu) {
        mtu = pathMtu;
        loaded = -1;
        wentBack = false;
    }

    void receive(long nowNs, Packet packet, Opcode opcode) {
        int psn = Bth.psn(packet.segment(), packet.offset());
        if (!isAwaited(psn, opcode, packet)) {
            counters.add(Counter.DROPPED_UNEXPECTED_RESPONSE);
            return;
        }
        switch (opcode) {
            case RC_ACKNOWLEDGE -> onAcknowledge(nowNs, packet, opcode, psn);
            case RC_ATOMIC_ACKNOWLEDGE -> onAtomicAcknowledge(nowNs, packet, opcode, psn);
            default -> onReadResponse(nowNs, packet, opcode, psn);
        }
    }

    /** An answer can be to what was sent and is not answered; a plain one also to what was answered last. */
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
                onReceiverReady(nowNs);
            } else if (!acknowledge(nowNs, psn)) {
                onGap(nowNs, psn);
            }
        } else if (Syndrome.isRnrNak(syndrome)) {
            onReceiverNotReady(nowNs, syndrome, psn);
        } else if (Syndrome.isNak(syndrome)) {
            onRefusal(nowNs, Syndrome.nakCode(syndrome), psn);
        } else {
            counters.add(Counter.DROPPED_UNEXPECTED_RESPONSE);
        }
    }

    private void onReceiverNotReady(long nowNs, int syndrome, int psn) {
        counters.add(Counter.RECEIVED_RNR_NAKS);
        if (!acknowledge(nowNs, Psn.previous(psn))) {
            onGap(nowNs, psn);
            return;
        }
        if (connection.retry().awaitsReceiver()) {
            return; // the same refusal come twice: it waits already
        }
        long delayNs = Syndrome.rnrTimer(syndrome).nanoseconds();
        connection.congestion().onRefused();
        connection.requester().goBackRefused();
        // What the peer says of the packets behind the refused one until these have come again is no other loss.
        wentBackAt(nowNs + delayNs);
        if (!connection.retry().tryReceiverAgain(nowNs, delayNs)) {
            counters.add(Counter.RNR_RETRY_EXCEEDED);
            connection.fail(Status.RNR_RETRY_EXCEEDED, Verdict.GRANTED);
        }
    }

    /** The peer repeats, unasked, what it acknowledged last: what it had to wait for is there. Nothing is done by that. */
    private void onReceiverReady(long nowNs) {
        counters.add(Counter.RESUMED_BY_ACK);
        wentBackAt(nowNs);
        connection.retry().resume();
        connection.scheduleResumed();
    }

    /** From this time on everything not answered is sent again. */
    private void wentBackAt(long timeNs) {
        wentBack = true;
        wentBackTo = outstanding.unackedPsn();
        wentBackNs = timeNs;
    }

    private void onRefusal(long nowNs, @Nullable NakCode code, int psn) {
        boolean reached = acknowledge(nowNs, Psn.previous(psn));
        if (code == NakCode.PSN_SEQUENCE_ERROR || !reached) {
            counters.add(Counter.RECEIVED_SEQUENCE_NAKS);
            onLoss(nowNs);
            return;
        }
        counters.add(Counter.RECEIVED_ERROR_NAKS);
        connection.fail(statusOf(code), Verdict.GRANTED);
    }

    private static Status statusOf(@Nullable NakCode code) {
        if (code == NakCode.INVALID_REQUEST) {
            return Status.REMOTE_INVALID_REQUEST;
        }
        return code == NakCode.REMOTE_ACCESS_ERROR ? Status.REMOTE_ACCESS_ERROR : Status.REMOTE_OPERATIONAL_ERROR;
    }

    private void onReadResponse(long nowNs, Packet packet, Opcode opcode, int psn) {
        if (!acknowledge(nowNs, Psn.previous(psn))) {
            onGap(nowNs, psn);
            return;
        }
        if (!connection.takesPackets()) {
            return; // there was no room to tell of what is done: everything is flushed
        }
        long position = outstanding.retired();
        long slot = ring.slot(position);
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
            counters.add(Counter.DROPPED_UNEXPECTED_RESPONSE);
            return;
        }
        if (write) {
            answered(nowNs, position, Verdict.GRANTED, true);
            return;
        }
        load(position, slot);
        Verdict verdict = landing.place(
                memory,
                connection.rights().localWrite(),
                offset,
                packet.segment(),
                packet.offset() + opcode.headerLength(),
                payload);
        answered(nowNs, position, verdict, endsRequest);
    }

    private void onAtomicAcknowledge(long nowNs, Packet packet, Opcode opcode, int psn) {
        if (!acknowledge(nowNs, Psn.previous(psn))) {
            onGap(nowNs, psn);
            return;
        }
        if (!connection.takesPackets()) {
            return; // there was no room to tell of what is done: everything is flushed
        }
        long position = outstanding.retired();
        long slot = ring.slot(position);
        Operation operation = outstanding.operation(position);
        if (operation == Operation.READ || !operation.returnsData()) {
            counters.add(Counter.DROPPED_UNEXPECTED_RESPONSE);
            return;
        }
        long eth = (long) packet.offset() + opcode.offsetOf(Extension.ATOMIC_ACK_ETH);
        original.set(ValueLayout.JAVA_LONG, 0, AtomicAckEth.original(packet.segment(), eth));
        load(position, slot);
        Verdict verdict = landing.place(
                memory, connection.rights().localWrite(), 0, original, 0, (int) Math.min(8, landing.total()));
        answered(nowNs, position, verdict, true);
    }

    /** One more of the oldest request's answers is in. */
    private void answered(long nowNs, long position, Verdict verdict, boolean endsRequest) {
        if (verdict == Verdict.NOT_RESIDENT) {
            // It comes late, after the request went back to be sent again and let go of the pages.
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
     * Everything up to {@code psn} has arrived: retires the sends and writes among it.
     *
     * @return false when a read or an atomic among it has no answer yet
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
        wentBack = false;
        int unacked = outstanding.unackedPsn();
        boolean late = Psn.distance(outstanding.nextPsn(), unacked) > 0;
        if (late) {
            connection.congestion().onLate();
        }
        connection.congestion().onAcknowledged(packets, unacked);
        connection.roundTrip().onAcknowledged(unacked, nowNs);
        if (late) {
            connection.requester().goBack();
        }
        connection.onProgress(nowNs);
    }

    /**
     * An answer to a later request shows that the answer to a read or atomic was lost. Answers follow one another: those
     * that come behind tell of the same loss; one from further ahead is of answers sent again, with the same loss again.
     */
    private void onGap(long nowNs, int psn) {
        counters.add(Counter.IMPLIED_SEQUENCE_NAKS);
        boolean follows = isBack() && Psn.distance(passedPsn, psn) > 0;
        passedPsn = psn;
        if (!follows) {
            onLoss(nowNs);
        }
    }

    private boolean isBack() {
        return wentBack && wentBackTo == outstanding.unackedPsn();
    }

    /**
     * Something was lost: goes back once in a round trip; what is still on its way may tell of the same loss again. Who
     * waits for a receiver has gone back already, and Linux tells it of the packets behind the refused one as of a loss.
     */
    private void onLoss(long nowNs) {
        boolean again = isBack();
        boolean told = again && nowNs - wentBackNs < connection.roundTrip().leastNs();
        if (told || connection.retry().awaitsReceiver()) {
            return;
        }
        wentBackAt(nowNs);
        connection.congestion().onLoss(outstanding.freshPsn());
        connection.requester().goBack();
        if (again) {
            connection.retry().repeat(nowNs);
        } else if (!connection.retry().tryAgain(nowNs)) {
            onExhausted();
        }
        connection.schedule();
    }

    /** No answer for too long. */
    void onTimeout(long nowNs) {
        countSilence(Counter.ACK_TIMEOUTS, Counter.RESUMED_BY_ACK_TIMEOUT);
        if (connection.retry().tryAgain(nowNs)) {
            sendAgain();
        } else {
            onExhausted();
        }
    }

    /**
     * No answer for longer than round trips take: asks again, without counting it as a retry. An answer with data may wait for
     * a page at the peer, in silence: that is no sign of a full network, and no reason to ask often.
     */
    void onProbe(long nowNs) {
        countSilence(Counter.PROBES, Counter.RESUMED_BY_PROBE);
        if (outstanding.anyStarted()
                && outstanding.operation(outstanding.retired()).awaitsAnswer()) {
            connection.retry().backOffMore(nowNs);
            goBack();
        } else {
            sendAgain();
        }
    }

    /** After the receiver was not ready, silence shows that neither its word nor the time told has brought anything forward. */
    private void countSilence(Counter any, Counter afterRefusal) {
        counters.add(any);
        if (connection.retry().isRefused()) {
            counters.add(afterRefusal);
        }
    }

    private void sendAgain() {
        connection.congestion().onSilence(outstanding.freshPsn());
        goBack();
    }

    private void goBack() {
        wentBack = false;
        connection.requester().goBack();
        connection.schedule();
    }

    private void onExhausted() {
        counters.add(Counter.RETRY_EXCEEDED);
        connection.fail(Status.RETRY_EXCEEDED, Verdict.GRANTED);
    }

    private void retire() {
        connection.retireOldest(Status.SUCCESS, Verdict.GRANTED);
    }

    /** Retires requests at the head that were done locally, and fails the one that can't be done. */
    void retireLocalWork() {
        while (outstanding.anyStarted() && outstanding.psnCount(outstanding.retired()) == 0) {
            retire();
        }
        connection.failIfReached();
    }

    private void load(long position, long slot) {
        if (loaded != position) {
            loaded = position;
            landing.load(slots, slot + SendSlot.HEADER_LENGTH, SendSlot.segments(slots, slot));
        }
    }
}
