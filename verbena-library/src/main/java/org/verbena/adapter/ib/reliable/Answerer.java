package org.verbena.adapter.ib.reliable;

import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.pair.PageWait;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.link.Packet;
import org.verbena.memory.Verdict;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.EventKind;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.AtomicAckEth;
import org.verbena.wire.ib.CreditCode;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Msn;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.RnrTimer;
import org.verbena.wire.ib.Syndrome;

/**
 * The responder's answers, in order: data for reads and atomics first, then one acknowledgement for all that was
 * executed since the last, or one refusal.
 */
final class Answerer {
    private enum Pending {
        NOTHING,
        ACKNOWLEDGEMENT,
        REFUSAL,
        /** A refusal after which the queue pair is in error. */
        LAST_REFUSAL
    }

    private final ReliableConnection connection;
    private final Transmitter transmitter;
    private final Effort effort;
    private final ProtectionTable memory;
    private final Counters counters;
    private final TurnTime time;
    private final ReceiveSource receives;

    private ResponseQueue responses = new ResponseQueue(1);
    private RnrTimer rnrTimer = RnrTimer.of(0);
    private boolean endToEndCredits;
    private Pending pending = Pending.NOTHING;
    private int refusalSyndrome;
    private int refusalPsn;
    /** When the last refusal left that told the peer to wait. */
    private long toldToWaitNs = Long.MIN_VALUE / 2;
    /** The refusal is for a page that is missing, not for want of a receive. */
    private boolean faulted;
    /** Of the sends and writes executed, the newest one's. */
    private int acknowledgedPsn;

    private int msn;
    private boolean creditless;
    /** The peer is to be told, unasked and behind everything else, what it was told before. */
    private boolean inviting;

    private int invitationPsn;

    private Runnable onInvited = () -> {};
    private final PageWait pages;
    /** The answer to be given next, if its pages can't be had. */
    private int lostPsn = -1;

    private int awaitedPsn;

    private Verdict lostVerdict = Verdict.GRANTED;

    Answerer(ReliableConnection connection, EngineParts parts, Transmitter transmitter, ReceiveSource receives) {
        this.connection = connection;
        this.transmitter = transmitter;
        this.effort = parts.effort();
        this.memory = parts.memory();
        this.counters = parts.counters();
        this.time = parts.time();
        this.receives = receives;
        this.pages = new PageWait(parts, this::onPages);
    }

    void begin(ReceiveParameters parameters) {
        responses = new ResponseQueue(Math.max(1, parameters.inboundReads()));
        rnrTimer = parameters.rnrTimer();
        endToEndCredits = parameters.endToEndCredits() && !receives.shared();
        pending = Pending.NOTHING;
        acknowledgedPsn = Psn.previous(parameters.firstPsn());
        msn = 0;
        creditless = false;
        release();
    }

    /** Keeps no pages and waits for none. */
    void release() {
        pages.release();
        inviting = false;
        lostPsn = -1;
    }

    ResponseQueue responses() {
        return responses;
    }

    /** A packet of a send or write has been executed. */
    void onExecuted(int psn) {
        acknowledgedPsn = psn;
        inviting = false;
        if (pending == Pending.REFUSAL) {
            // What was refused came again before the refusal left.
            pending = Pending.ACKNOWLEDGEMENT;
        }
    }

    /** One more of the peer's messages is complete. */
    void onMessageDone() {
        msn = Msn.next(msn);
    }

    void addRead(int psn, int packets, long address, int key, long length) {
        onAnsweredWithData();
        responses.addRead(psn, packets, msn, address, key, length);
        connection.schedule();
    }

    void addAtomic(int psn, long original) {
        onAnsweredWithData();
        responses.addAtomic(psn, msn, original);
        connection.schedule();
    }

    /**
     * The data acknowledges everything before it. No acknowledgement names a read's or an atomic's number: Linux would
     * take it for the answer, and the data for received.
     */
    private void onAnsweredWithData() {
        onMessageDone();
        inviting = false;
        pending = Pending.NOTHING;
    }

    /** The peer asks again for a read's or an atomic's answer; what is not kept gets none. */
    void repeat(int psn, boolean atomic, long address) {
        if (responses.goBack(psn, atomic, address, connection.mtuBytes())) {
            connection.schedule();
        }
    }

    /** Every send and write executed so far is to be acknowledged. */
    void acknowledge() {
        if (pending == Pending.NOTHING) {
            pending = Pending.ACKNOWLEDGEMENT;
        }
        connection.schedule();
    }

    /** The packet with this number is missing. A refusal that has not left yet says the same, and when to come. */
    void tellOfGap(int psn) {
        if (pending != Pending.REFUSAL || !Syndrome.isRnrNak(refusalSyndrome)) {
            counters.add(Counter.SENT_SEQUENCE_NAKS);
            refuse(Pending.REFUSAL, Syndrome.nak(NakCode.PSN_SEQUENCE_ERROR), psn);
        }
    }

    void refuseForGood(NakCode code, int psn) {
        refuse(Pending.LAST_REFUSAL, Syndrome.nak(code), psn);
    }

    /** No receive is there: the peer is told for how long to wait, which is returned. */
    long notReady(int psn) {
        faulted = false;
        refuse(Pending.REFUSAL, Syndrome.rnr(rnrTimer), psn);
        return rnrTimer.nanoseconds();
    }

    /** A page is not there: the peer is to come again in this time. */
    void faulted(int psn, RnrTimer timer) {
        inviting = false;
        faulted = true;
        refuse(Pending.REFUSAL, Syndrome.rnr(timer), psn);
    }

    /** Whether what comes from the peer now may have left before it knew that it has to wait, which takes so long. */
    boolean isYetToBeKnown(long wayNs) {
        return pending == Pending.REFUSAL || time.nowNs() - toldToWaitNs < wayNs;
    }

    /** The page is there: the peer is told so by an acknowledgement of what it knows to be done. */
    void invite(int psn, Runnable onSent) {
        inviting = true;
        onInvited = onSent;
        invitationPsn = psn;
        connection.scheduleResumed();
    }

    /** Whether this number, the one before that awaited, is of a read or an atomic. */
    boolean namesData(int psn) {
        return psn != acknowledgedPsn;
    }

    /** Whether it refused for good and has not said so yet: nothing more may be executed. */
    boolean isFailing() {
        return pending == Pending.LAST_REFUSAL;
    }

    private void refuse(Pending kind, int syndrome, int psn) {
        pending = kind;
        refusalSyndrome = syndrome;
        refusalPsn = psn;
        connection.schedule();
    }

    boolean transmit(int budget) {
        long limit = effort.spent() + budget;
        while (responses.hasPending()) {
            if (pages.isWaiting()) {
                return false;
            }
            if (effort.spent() >= limit || !sendResponse()) {
                return connection.takesPackets();
            }
        }
        if (creditless && receives.available() > 0) {
            acknowledge();
        }
        if (pending != Pending.NOTHING && !sendPending()) {
            return true;
        }
        return inviting && !sendInvitation();
    }

    private boolean sendResponse() {
        int lost = lostPsn;
        lostPsn = -1; // of another answer it says nothing
        if (responses.psn() == lost) {
            return refuseRead(lostVerdict);
        }
        return responses.isAtomic() ? sendAtomicResponse() : sendReadResponse();
    }

    private boolean sendAtomicResponse() {
        Packet packet = begin(Opcode.RC_ATOMIC_ACKNOWLEDGE, 0, responses.psn());
        if (packet == null) {
            return false;
        }
        writeAeth(packet, Opcode.RC_ATOMIC_ACKNOWLEDGE, Syndrome.ack(credits()), responses.msn());
        AtomicAckEth.write(
                packet.segment(),
                packet.offset() + Opcode.RC_ATOMIC_ACKNOWLEDGE.offsetOf(Extension.ATOMIC_ACK_ETH),
                responses.original());
        transmitter.end(packet);
        responses.advance();
        return true;
    }

    private boolean sendReadResponse() {
        long offset = (long) responses.cursor() * connection.mtuBytes();
        int payload = (int) Math.min(connection.mtuBytes(), responses.length() - offset);
        Opcode opcode = readResponseOpcode(responses.atStreamStart(), responses.atLast());
        Packet packet = begin(opcode, payload, responses.psn());
        if (packet == null) {
            return false;
        }
        if (opcode.carriesAeth()) {
            writeAeth(packet, opcode, Syndrome.ack(credits()), responses.msn());
        }
        Verdict verdict = memory.gather(
                connection.rights().remoteRead(),
                responses.key(),
                responses.address() + offset,
                packet.segment(),
                packet.offset() + opcode.headerLength(),
                payload);
        if (!verdict.granted()) {
            transmitter.abandon(packet);
            return verdict == Verdict.NOT_RESIDENT ? awaitPages(offset, payload) : refuseRead(verdict);
        }
        transmitter.end(packet);
        responses.advance();
        if (pages.isOpen()) {
            pages.release();
        }
        return true;
    }

    /** What is asked for is not there: nothing is said until it is. */
    private boolean awaitPages(long offset, int payload) {
        counters.add(Counter.RESPONSE_PAGE_FAULTS);
        Verdict verdict = pages.prepare()
                .add(
                        connection.rights().remoteRead(),
                        responses.key(),
                        responses.address() + offset,
                        payload,
                        responses.length() - offset,
                        Fault.Intent.READ);
        if (!verdict.granted()) {
            pages.release();
            return refuseRead(verdict);
        }
        awaitedPsn = responses.psn();
        pages.start();
        return true;
    }

    private void onPages(Verdict outcome) {
        // The peer may have moved on, and the answer be none of those to be given.
        if (!outcome.granted() && responses.hasPending() && responses.psn() == awaitedPsn) {
            lostPsn = awaitedPsn;
            lostVerdict = outcome;
        }
        connection.scheduleResumed();
    }

    /**
     * The memory went away after the request had been granted. The first time that is a refusal. A peer that had the
     * whole answer before may have taken the memory's key back for that very reason, while an earlier question of its own
     * was still on the way: it gets no second answer, and nothing is wrong.
     */
    private boolean refuseRead(Verdict verdict) {
        if (responses.isRepeating()) {
            responses.skip();
            return true;
        }
        int psn = responses.psn();
        responses.dropPending();
        if (verdict == Verdict.PAGE_LOST || verdict == Verdict.TOO_MANY_PAGES || verdict == Verdict.NOT_RESIDENT) {
            refuseForGood(NakCode.REMOTE_OPERATIONAL_ERROR, psn);
        } else {
            counters.add(Counter.REMOTE_ACCESS_ERRORS);
            refuseForGood(NakCode.REMOTE_ACCESS_ERROR, psn);
        }
        return true;
    }

    private static Opcode readResponseOpcode(boolean first, boolean last) {
        if (first) {
            return last ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_FIRST;
        }
        return last ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
    }

    private boolean sendPending() {
        boolean ack = pending == Pending.ACKNOWLEDGEMENT;
        Packet packet = begin(Opcode.RC_ACKNOWLEDGE, 0, ack ? acknowledgedPsn : refusalPsn);
        if (packet == null) {
            return false;
        }
        writeAeth(packet, Opcode.RC_ACKNOWLEDGE, ack ? Syndrome.ack(credits()) : refusalSyndrome, msn);
        transmitter.end(packet);
        counters.add(Counter.SENT_ACKS);
        if (!ack && Syndrome.isRnrNak(refusalSyndrome)) {
            counters.add(faulted ? Counter.SENT_FAULT_RNR_NAKS : Counter.SENT_RNR_NAKS);
            toldToWaitNs = time.nowNs();
        }
        boolean last = pending == Pending.LAST_REFUSAL;
        pending = Pending.NOTHING;
        if (last) {
            connection.enterError(
                    refusalSyndrome == Syndrome.nak(NakCode.REMOTE_ACCESS_ERROR)
                            ? EventKind.QUEUE_PAIR_ACCESS_ERROR
                            : EventKind.QUEUE_PAIR_REQUEST_ERROR);
        }
        return true;
    }

    private boolean sendInvitation() {
        Packet packet = begin(Opcode.RC_ACKNOWLEDGE, 0, invitationPsn);
        if (packet == null) {
            return false;
        }
        writeAeth(packet, Opcode.RC_ACKNOWLEDGE, Syndrome.ack(credits()), msn);
        transmitter.end(packet);
        counters.add(Counter.SENT_UNSOLICITED_ACKS);
        inviting = false;
        onInvited.run();
        return true;
    }

    private @Nullable Packet begin(Opcode opcode, int payload, int psn) {
        return transmitter.begin(connection.peer(), opcode, payload, psn, false, false);
    }

    private static void writeAeth(Packet packet, Opcode opcode, int syndrome, int msn) {
        Aeth.write(packet.segment(), packet.offset() + opcode.offsetOf(Extension.AETH), syndrome, msn);
    }

    /** The receives that are posted, as the peer is told; nothing is told unless credits are on. */
    private int credits() {
        if (!endToEndCredits) {
            return CreditCode.NONE;
        }
        int available = receives.available();
        creditless = available == 0;
        if (creditless) {
            receives.ring().wanted();
        }
        return CreditCode.atMost(available);
    }
}
