package org.verbena.adapter.ib.reliable;

import org.verbena.EventKind;
import org.verbena.RnrTimer;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.adapter.pair.RefusedAccess;
import org.verbena.link.Packet;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Msn;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Syndrome;

/**
 * The responder's answers, in order: the data of reads and atomics ({@link DataResponses}); then one acknowledgement of all
 * requests that were executed since the last, or one refusal; then an invitation to a peer that was told to wait. A peer with few
 * RNR retries gets the acknowledgement in front of a refusal that costs one: it renews the retries.
 */
final class Answerer {
    /** The answer without data that leaves next. */
    private enum Pending {
        NOTHING,
        ACKNOWLEDGEMENT,
        REFUSAL,
        /** A refusal after which the queue pair is in error. */
        LAST_REFUSAL
    }

    private final ReliableConnection connection;
    private final Effort effort;
    private final Counters counters;
    private final TurnTime time;
    private final AnswerWriter writer;
    private final DataResponses data;
    private final RefusedAccess refused;
    private final PeerRetries peerRetries = new PeerRetries();

    private RnrTimer rnrTimer = RnrTimer.of(0);
    private Pending pending = Pending.NOTHING;
    private int refusalSyndrome;
    private int refusalPsn;
    /** When the last refusal left that told the peer to wait. */
    private long toldToWaitNs = Long.MIN_VALUE / 2;
    /** The refusal is for a page that is missing, not for want of a receive. */
    private boolean faulted;
    /** Number of the newest packet of a send or write that was executed. */
    private int acknowledgedPsn;
    /** The number in the newest acknowledgement that has left. */
    private int toldPsn;

    private int msn;
    private boolean inviting;
    private int invitationPsn;
    private Runnable onInvited = () -> {};

    Answerer(
            ReliableConnection connection,
            EngineParts parts,
            Transmitter transmitter,
            ReceiveSource receives,
            RefusedAccess refused) {
        this.refused = refused;
        this.connection = connection;
        this.effort = parts.effort();
        this.counters = parts.counters();
        this.time = parts.time();
        this.writer = new AnswerWriter(connection, transmitter, receives);
        this.data = new DataResponses(connection, parts, writer, refused, this::refuseForGood);
    }

    void begin(ReceiveParameters parameters) {
        rnrTimer = parameters.rnrTimer();
        pending = Pending.NOTHING;
        acknowledgedPsn = Psn.previous(parameters.firstPsn());
        toldPsn = acknowledgedPsn;
        peerRetries.begin(parameters.peerRnrRetries());
        msn = 0;
        inviting = false;
        writer.begin(parameters.endToEndCredits());
        data.begin(parameters.inboundReads());
    }

    /** Releases all pages, and waits for none. */
    void release() {
        data.release();
        inviting = false;
    }

    /** The RNR retries of the peer, with the count of those that were used. */
    PeerRetries peerRetries() {
        return peerRetries;
    }

    ResponseQueue responses() {
        return data.queue();
    }

    /** A packet of a send or write has been executed. */
    void onExecuted(int psn) {
        acknowledgedPsn = psn;
        inviting = false;
        if (pending == Pending.REFUSAL) {
            // The refused packet came again before the refusal left.
            pending = Pending.ACKNOWLEDGEMENT;
        }
    }

    /** One more of the peer's messages is complete. */
    void onMessageDone() {
        msn = Msn.next(msn);
    }

    void addRead(int psn, int packets, long address, int key, long length) {
        onAnsweredWithData();
        data.queue().addRead(psn, packets, msn, address, key, length);
        connection.schedule();
    }

    void addAtomic(int psn, long original) {
        onAnsweredWithData();
        data.queue().addAtomic(psn, msn, original);
        connection.schedule();
    }

    /**
     * The data acknowledges all requests before it. No acknowledgement names the number of a read or an atomic: Linux would take
     * it for the answer, and the data for received.
     */
    private void onAnsweredWithData() {
        onMessageDone();
        inviting = false;
        pending = Pending.NOTHING;
    }

    /** The peer asks again for the answer to a read or an atomic; there is none if the queue does not keep it any more. */
    void repeat(int psn, boolean atomic, long address) {
        if (data.queue().goBack(psn, atomic, address, connection.mtuBytes())) {
            connection.schedule();
        }
    }

    /** Acknowledges all sends and writes that were executed. */
    void acknowledge() {
        if (pending == Pending.NOTHING) {
            pending = Pending.ACKNOWLEDGEMENT;
        }
        connection.schedule();
    }

    /** The packet with this number is missing. An RNR NAK that has not left yet says so too, and takes precedence. */
    void tellOfGap(int psn) {
        if (pending != Pending.REFUSAL || !Syndrome.isRnrNak(refusalSyndrome)) {
            counters.add(Counter.SENT_SEQUENCE_NAKS);
            refuse(Pending.REFUSAL, Syndrome.nak(NakCode.PSN_SEQUENCE_ERROR), psn);
        }
    }

    void refuseForGood(NakCode code, int psn) {
        refuse(Pending.LAST_REFUSAL, Syndrome.nak(code), psn);
    }

    /** No receive is posted: tells the peer to wait; returns for how long. */
    long notReady(int psn) {
        faulted = false;
        refuse(Pending.REFUSAL, Syndrome.rnr(rnrTimer), psn);
        return rnrTimer.nanoseconds();
    }

    /** A page is missing: tells the peer to wait for this time. */
    void faulted(int psn, RnrTimer timer) {
        inviting = false;
        faulted = true;
        refuse(Pending.REFUSAL, Syndrome.rnr(timer), psn);
    }

    /** Whether the refusal that tells the peer to wait has not left, or left less than this time ago. */
    boolean isNakUnderWay(long wayNs) {
        return pending == Pending.REFUSAL || time.nowNs() - toldToWaitNs < wayNs;
    }

    /** The page is present: tells the peer by an acknowledgement of a number that it knows to be acknowledged. */
    void invite(int psn, Runnable onSent) {
        inviting = true;
        onInvited = onSent;
        invitationPsn = psn;
        connection.scheduleResumed();
    }

    /** Whether this number, the one before the expected number, is of a read or an atomic. */
    boolean namesData(int psn) {
        return psn != acknowledgedPsn;
    }

    /** Whether a last refusal has not left yet: no request may be executed any more. */
    boolean isFailing() {
        return pending == Pending.LAST_REFUSAL;
    }

    private void refuse(Pending kind, int syndrome, int psn) {
        pending = kind;
        refusalSyndrome = syndrome;
        refusalPsn = psn;
        connection.schedule();
    }

    /** Sends the answers that are ready; returns whether more is left. */
    boolean transmit(int budget) {
        long limit = effort.spent() + budget;
        ResponseQueue responses = data.queue();
        while (responses.hasPending()) {
            if (data.isWaiting()) {
                return false;
            }
            if (effort.spent() >= limit || !data.sendNext()) {
                return connection.takesPackets();
            }
        }
        if (writer.owesCredits()) {
            acknowledge();
        }
        if (pending != Pending.NOTHING && !sendPending()) {
            return true;
        }
        return inviting && !sendInvitation();
    }

    private boolean sendPending() {
        if (pending == Pending.ACKNOWLEDGEMENT) {
            if (!sendAcknowledgement()) {
                return false;
            }
            pending = Pending.NOTHING;
            return true;
        }
        return (!renewsRetries() || sendAcknowledgement()) && sendRefusal();
    }

    /** Whether the pending refusal costs the peer one of few retries, and no acknowledgement has told it of the packet before. */
    private boolean renewsRetries() {
        return !peerRetries.areEndless()
                && Syndrome.isRnrNak(refusalSyndrome)
                && toldPsn != acknowledgedPsn
                && !namesData(Psn.previous(refusalPsn));
    }

    private boolean sendAcknowledgement() {
        Packet packet = writer.begin(Opcode.RC_ACKNOWLEDGE, 0, acknowledgedPsn);
        if (packet == null) {
            return false;
        }
        writer.writeAck(packet, Opcode.RC_ACKNOWLEDGE, msn);
        writer.end(packet);
        counters.add(Counter.SENT_ACKS);
        toldPsn = acknowledgedPsn;
        return true;
    }

    private boolean sendRefusal() {
        Packet packet = writer.begin(Opcode.RC_ACKNOWLEDGE, 0, refusalPsn);
        if (packet == null) {
            return false;
        }
        writer.write(packet, Opcode.RC_ACKNOWLEDGE, refusalSyndrome, msn);
        writer.end(packet);
        counters.add(Counter.SENT_ACKS);
        if (Syndrome.isRnrNak(refusalSyndrome)) {
            counters.add(faulted ? Counter.SENT_FAULT_RNR_NAKS : Counter.SENT_RNR_NAKS);
            toldToWaitNs = time.nowNs();
            peerRetries.onRefused(refusalPsn, Syndrome.rnrTimer(refusalSyndrome));
        }
        boolean last = pending == Pending.LAST_REFUSAL;
        pending = Pending.NOTHING;
        if (last) {
            if (refusalSyndrome == Syndrome.nak(NakCode.REMOTE_ACCESS_ERROR)) {
                connection.onAccessRefused(refused);
            } else {
                connection.enterError(
                        EventKind.QUEUE_PAIR_REQUEST_ERROR, connection.peer().toString());
            }
        }
        return true;
    }

    private boolean sendInvitation() {
        Packet packet = writer.begin(Opcode.RC_ACKNOWLEDGE, 0, invitationPsn);
        if (packet == null) {
            return false;
        }
        writer.writeAck(packet, Opcode.RC_ACKNOWLEDGE, msn);
        writer.end(packet);
        counters.add(Counter.SENT_UNSOLICITED_ACKS);
        inviting = false;
        onInvited.run();
        return true;
    }
}
