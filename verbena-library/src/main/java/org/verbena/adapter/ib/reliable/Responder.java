package org.verbena.adapter.ib.reliable;

import org.verbena.EventKind;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.MessageIntake;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.Ruling;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.link.Packet;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.PacketKind;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Reth;

/**
 * Takes the peer's requests: compares the sequence number with the expected one, has {@link RequestJudge} decide and {@link
 * RequestExecutor} execute, and has {@link Answerer} answer.
 */
final class Responder {
    private final ReliableConnection connection;
    private final Counters counters;
    private final TurnTime time;
    private final ReceiveQueue receives;
    private final MessageIntake intake;
    private final RequestJudge judge;
    private final RequestExecutor executor;
    private final Answerer answerer;
    private final FaultedRequest faulted;
    private final GapWatch gaps = new GapWatch();
    private final MissingReceive missing;

    private boolean established;
    private boolean failed;
    /** The request that met a page fault is a send: the pages are its receive's. */
    private boolean faultedSend;

    Responder(ReliableConnection connection, EngineParts parts, Transmitter transmitter, ReceiveQueue receives) {
        this.connection = connection;
        this.counters = parts.counters();
        this.time = parts.time();
        this.receives = receives;
        this.intake = new MessageIntake(parts.memory(), connection.rights(), receives);
        this.judge = new RequestJudge(connection, parts.memory(), intake);
        this.answerer = new Answerer(connection, parts, transmitter, receives.source(), intake.refused());
        this.executor = new RequestExecutor(
                connection.rights(),
                parts.memory(),
                intake,
                answerer,
                connection.peer().mtu());
        this.faulted = new FaultedRequest(connection, parts, answerer, this::onPages);
        this.missing = new MissingReceive(receives.source(), connection::schedule);
    }

    void begin(ReceiveParameters parameters) {
        executor.begin(parameters.firstPsn());
        gaps.begin();
        established = false;
        failed = false;
        intake.begin(connection.mtuBytes());
        answerer.begin(parameters);
        faulted.begin();
        missing.end();
    }

    /** Releases all pages, and waits for none. No message of the peer is under way any more. */
    void release() {
        faulted.release();
        missing.end();
        executor.release();
        answerer.release();
    }

    /** Sends the answers that are ready; returns whether more is left. */
    boolean transmit(int budget) {
        if (missing.takeArrival()) {
            inviteToReceive();
        }
        return answerer.transmit(budget);
    }

    void receive(Packet packet, Opcode opcode) {
        if (failed || answerer.isFailing()) {
            return;
        }
        if (!established) {
            established = true;
            connection.event(EventKind.COMMUNICATION_ESTABLISHED);
            if (!connection.takesPackets()) {
                return; // a watcher of the event has ended the connection
            }
        }
        int psn = Bth.psn(packet.segment(), packet.offset());
        int ahead = Psn.distance(executor.expectedPsn(), psn);
        if (ahead == 0) {
            onExpected(packet, opcode);
        } else if (ahead < 0) {
            onDuplicate(packet, opcode, psn);
        } else {
            onAhead(psn);
        }
    }

    private void onAhead(int psn) {
        counters.add(Counter.OUT_OF_SEQUENCE_REQUESTS);
        if (gaps.onAhead(psn, time.nowNs())) {
            answerer.tellOfGap(executor.expectedPsn());
        }
    }

    /** A request that was executed before is answered again, and not executed again. */
    private void onDuplicate(Packet packet, Opcode opcode, int psn) {
        counters.add(Counter.DUPLICATE_REQUESTS);
        if (opcode.isAtomic()) {
            answerer.repeat(psn, true, 0);
        } else if (opcode == Opcode.RC_RDMA_READ_REQUEST || opcode == Opcode.RC_ATOMIC_WRITE) {
            answerer.repeat(psn, false, Reth.address(packet.segment(), packet.offset() + Bth.LENGTH));
        } else if (faulted.isWaiting()) {
            // An acknowledgement would say that the pages are present.
            if (!faulted.isNakUnderWay()) {
                dropWhatFollows(faulted.remind());
            }
        } else {
            answerer.acknowledge();
        }
    }

    private void onExpected(Packet packet, Opcode opcode) {
        if (faulted.isWaiting()) {
            if (faulted.isNakUnderWay()) {
                gaps.onRefused(executor.expectedPsn());
            } else {
                dropWhatFollows(faulted.refuseAgain());
            }
            return;
        }
        gaps.onExpected();
        if (faulted.isOpen()) {
            faulted.onCame();
        }
        int payload = opcode.payloadLength(packet.length(), Bth.padCount(packet.segment(), packet.offset()));
        Ruling ruling = judge.judge(packet, opcode, payload, answerer.responses());
        if (ruling == Ruling.EXECUTE) {
            ruling = executor.execute(packet, opcode, payload);
            if (ruling == Ruling.PAGE_FAULT) {
                ruling = onPageFault(packet, opcode, payload);
            } else if (faulted.isOpen()) {
                faulted.release();
            }
        }
        switch (ruling) {
            case EXECUTE -> missing.end();
            case NOT_READY -> refuseWithoutReceive();
            case PAGE_FAULT -> dropWhatFollows(faulted.refuse(executor.expectedPsn()));
            default -> fail(ruling);
        }
    }

    /** No receive is posted: tells the peer to wait. It is not invited where Linux would take that for the answer to a read. */
    private void refuseWithoutReceive() {
        dropWhatFollows(answerer.notReady(executor.expectedPsn()));
        missing.onRefused(executor.expectedPsn(), !answerer.namesData(Psn.previous(executor.expectedPsn())));
    }

    /** A receive was posted that a peer waits for: invites it. */
    private void inviteToReceive() {
        answerer.invite(Psn.previous(executor.expectedPsn()), () -> {});
        gaps.onInvited(time.nowNs() + faulted.roundTripNs());
    }

    /** The peer was told to wait for this time: packets behind the expected one get no answer. */
    private void dropWhatFollows(long toldNs) {
        gaps.onToldToWait(executor.expectedPsn(), toldNs, faulted.roundTripNs(), time.nowNs());
    }

    /** Starts one fault for all pages that the packet needs. If all of them are present by then, executes the packet. */
    private Ruling onPageFault(Packet packet, Opcode opcode, int payload) {
        PacketKind kind = opcode.kind();
        faultedSend = kind == PacketKind.SEND;
        counters.add(faultsOf(kind));
        while (true) {
            Verdict verdict = executor.demand(faulted.prepare(), packet, opcode, payload);
            if (!verdict.granted()) {
                faulted.release();
                return refused(verdict);
            }
            if (!faulted.start()) {
                return Ruling.PAGE_FAULT;
            }
            Ruling ruling = executor.execute(packet, opcode, payload);
            if (ruling != Ruling.PAGE_FAULT) {
                faulted.release();
                return ruling;
            }
        }
    }

    private static Counter faultsOf(PacketKind kind) {
        return switch (kind) {
            case SEND -> Counter.SEND_PAGE_FAULTS;
            case RDMA_WRITE -> Counter.WRITE_PAGE_FAULTS;
            default -> Counter.ATOMIC_PAGE_FAULTS;
        };
    }

    /** The fault of the expected packet has ended. */
    private void onPages(Verdict outcome) {
        if (outcome.granted()) {
            long comesInNs = faulted.invite();
            if (comesInNs != Long.MAX_VALUE) {
                gaps.onInvited(time.nowNs() + comesInNs);
            }
        } else {
            fail(refused(outcome));
        }
    }

    /** The ruling on a request whose pages cannot be brought in. */
    private Ruling refused(Verdict verdict) {
        if (faultedSend) {
            receives.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            return Ruling.RECEIVE_REFUSED;
        }
        return DataResponses.isPageLoss(verdict) ? Ruling.PAGE_LOST : intake.refuse(verdict);
    }

    private void fail(Ruling ruling) {
        failed = true;
        counters.add(Counter.SENT_ERROR_NAKS);
        if (ruling == Ruling.TOO_LONG) {
            receives.fail(Status.LOCAL_LENGTH_ERROR, Verdict.GRANTED);
        }
        if (ruling == Ruling.ACCESS_REFUSED) {
            counters.add(Counter.REMOTE_ACCESS_ERRORS);
        }
        NakCode nak = ruling.nak();
        if (nak != null) {
            answerer.refuseForGood(nak, executor.expectedPsn());
        }
    }
}
