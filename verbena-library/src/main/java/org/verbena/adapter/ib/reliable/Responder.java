package org.verbena.adapter.ib.reliable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.MessageIntake;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.Ruling;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.link.Packet;
import org.verbena.memory.Verdict;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.queue.EventKind;
import org.verbena.queue.Status;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Ieth;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.PacketKind;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Reth;

/** Takes the peer's requests in the order of their sequence numbers: judges each, then acts, then answers. */
final class Responder {
    private static final long LONG_AGO_NS = Long.MIN_VALUE / 2;

    private final ReliableConnection connection;
    private final ProtectionTable memory;
    private final Counters counters;
    private final TurnTime time;
    private final ReceiveQueue receives;
    private final MessageIntake intake;
    private final AtomicOperands operands = new AtomicOperands();
    private final AtomicResult result = new AtomicResult();
    private final RequestJudge judge;
    private final Answerer answerer;
    private final FaultedRequest faulted;

    private int expectedPsn;
    private boolean toldOfGap;
    /** The newest packet that came ahead of the one awaited, once the peer is told. */
    private int aheadPsn;
    /** What comes ahead of the packet awaited was sent before the peer knew that it has to wait, until this time. */
    private long quietUntilNs;
    /** So it was, until this time, if it follows on what came before. */
    private long burstUntilNs;
    /** So long nothing comes from a peer that was told to wait: that time, and a round trip. */
    private long awayNs;
    /** When the newest packet ahead came that was sent before the peer knew; far in the past if none came. */
    private long burstNs;

    private boolean established;
    private boolean failed;
    /** The request that met a page fault is a send: the pages are its receive's. */
    private boolean faultedSend;

    Responder(ReliableConnection connection, EngineParts parts, Transmitter transmitter, ReceiveQueue receives) {
        this.connection = connection;
        this.memory = parts.memory();
        this.counters = parts.counters();
        this.time = parts.time();
        this.receives = receives;
        this.intake = new MessageIntake(memory, connection.rights(), receives);
        this.judge = new RequestJudge(connection, memory, intake);
        this.answerer = new Answerer(connection, parts, transmitter, receives.source());
        this.faulted = new FaultedRequest(connection, parts, answerer, this::onPages);
    }

    void begin(ReceiveParameters parameters) {
        expectedPsn = parameters.firstPsn();
        toldOfGap = false;
        quietUntilNs = Long.MAX_VALUE;
        established = false;
        failed = false;
        intake.begin(connection.mtuBytes());
        answerer.begin(parameters);
        faulted.begin();
    }

    /** Keeps no pages and waits for none. */
    void release() {
        faulted.release();
        answerer.release();
    }

    /** Sends what there is to answer; true when more is left. */
    boolean transmit(int budget) {
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
                return; // who was told of it has ended the connection
            }
        }
        int psn = Bth.psn(packet.segment(), packet.offset());
        int ahead = Psn.distance(expectedPsn, psn);
        if (ahead == 0) {
            onExpected(packet, opcode);
        } else if (ahead < 0) {
            onDuplicate(packet, opcode, psn);
        } else {
            onGap(psn);
        }
    }

    /**
     * Told of once: what follows on is of the same gap. What does not follow on has been sent again, and the packet
     * awaited, sent before it, was lost again: nobody else would tell the peer. Nothing is told while the peer may not
     * know yet that it has to wait: in whatever order its packets come, they were sent before. Linux may go on sending for longer
     * than it is told to wait.
     */
    private void onGap(int psn) {
        counters.add(Counter.OUT_OF_SEQUENCE_REQUESTS);
        if (quietUntilNs != Long.MAX_VALUE) {
            if (time.nowNs() < quietUntilNs || goesOn(psn)) {
                onBurst(psn);
                return;
            }
            // It waited and came again, but the packet awaited was lost.
            toldOfGap = false;
            quietUntilNs = Long.MAX_VALUE;
        }
        boolean follows = toldOfGap && Psn.distance(aheadPsn, psn) > 0;
        aheadPsn = psn;
        if (!follows) {
            toldOfGap = true;
            answerer.tellOfGap(expectedPsn);
        }
    }

    /**
     * Whether the packet belongs to what was on its way when the peer was told to wait, however long that takes: it follows
     * on, and nobody has waited in between.
     */
    private boolean goesOn(int psn) {
        long nowNs = time.nowNs();
        return Psn.distance(aheadPsn, psn) > 0 && (nowNs < burstUntilNs || nowNs - burstNs < awayNs);
    }

    private void onBurst(int psn) {
        if (Psn.distance(aheadPsn, psn) > 0) {
            aheadPsn = psn;
            burstNs = time.nowNs();
        } else {
            burstNs = LONG_AGO_NS; // perhaps sent again
        }
    }

    /** Executed before: answered again, not executed again. */
    private void onDuplicate(Packet packet, Opcode opcode, int psn) {
        counters.add(Counter.DUPLICATE_REQUESTS);
        if (opcode.isAtomic()) {
            answerer.repeat(psn, true, 0);
        } else if (opcode == Opcode.RC_RDMA_READ_REQUEST || opcode == Opcode.RC_ATOMIC_WRITE) {
            answerer.repeat(psn, false, Reth.address(packet.segment(), packet.offset() + Bth.LENGTH));
        } else if (faulted.isWaiting()) {
            // An acknowledgement would say that the pages are there.
            if (!faulted.isYetToBeKnown()) {
                dropWhatFollows(faulted.remind());
            }
        } else {
            answerer.acknowledge();
        }
    }

    private void onExpected(Packet packet, Opcode opcode) {
        if (faulted.isWaiting()) {
            if (faulted.isYetToBeKnown()) {
                dropBurst();
            } else {
                dropWhatFollows(faulted.refuseAgain());
            }
            return;
        }
        toldOfGap = false;
        quietUntilNs = Long.MAX_VALUE;
        if (faulted.isOpen()) {
            faulted.onCame();
        }
        int payload = opcode.payloadLength(packet.length(), Bth.padCount(packet.segment(), packet.offset()));
        Ruling ruling = judge.judge(packet, opcode, payload, answerer.responses());
        if (ruling == Ruling.EXECUTE) {
            ruling = execute(packet, opcode, payload);
            if (ruling == Ruling.PAGE_FAULT) {
                ruling = onPageFault(packet, opcode, payload);
            } else if (faulted.isOpen()) {
                faulted.release();
            }
        }
        switch (ruling) {
            case EXECUTE -> {}
            case NOT_READY -> dropWhatFollows(answerer.notReady(expectedPsn));
            case PAGE_FAULT -> dropWhatFollows(faulted.refuse(expectedPsn));
            default -> fail(ruling);
        }
    }

    /** In silence: only the packet awaited, come again, gets another answer. The peer was told to wait so long. */
    private void dropWhatFollows(long toldNs) {
        toldOfGap = true;
        dropBurst();
        awayNs = toldNs + faulted.roundTripNs();
        quietUntilNs = time.nowNs() + toldNs;
        burstUntilNs = time.nowNs() + awayNs;
    }

    /** What follows has been sent in one go with the packet awaited. */
    private void dropBurst() {
        aheadPsn = expectedPsn;
        burstNs = LONG_AGO_NS;
    }

    /** One fault for all that the packet needs; if everything has come meanwhile the packet is executed after all. */
    private Ruling onPageFault(Packet packet, Opcode opcode, int payload) {
        boolean send = opcode.kind() == PacketKind.SEND;
        boolean write = opcode.kind() == PacketKind.RDMA_WRITE;
        faultedSend = send;
        counters.add(send ? Counter.SEND_PAGE_FAULTS : write ? Counter.WRITE_PAGE_FAULTS : Counter.ATOMIC_PAGE_FAULTS);
        while (true) {
            Fault fault = faulted.prepare();
            Verdict verdict =
                    send || write ? intake.demand(fault, packet, opcode, payload) : demandAtomic(fault, packet, opcode);
            if (!verdict.granted()) {
                faulted.release();
                return refused(verdict);
            }
            if (!faulted.start()) {
                return Ruling.PAGE_FAULT;
            }
            Ruling ruling = execute(packet, opcode, payload);
            if (ruling != Ruling.PAGE_FAULT) {
                faulted.release();
                return ruling;
            }
        }
    }

    private Verdict demandAtomic(Fault fault, Packet packet, Opcode opcode) {
        MemorySegment segment = packet.segment();
        boolean write = opcode == Opcode.RC_ATOMIC_WRITE;
        long at = (long) packet.offset() + opcode.offsetOf(write ? Extension.RETH : Extension.ATOMIC_ETH);
        return fault.add(
                write ? connection.rights().remoteWrite() : connection.rights().remoteAtomic(),
                write ? Reth.key(segment, at) : AtomicEth.key(segment, at),
                write ? Reth.address(segment, at) : AtomicEth.address(segment, at),
                Long.BYTES,
                Long.BYTES,
                Fault.Intent.WRITE);
    }

    /** The fault that the packet awaited has met is over. */
    private void onPages(Verdict outcome) {
        if (outcome.granted()) {
            long comesNs = faulted.invite();
            if (comesNs != Long.MAX_VALUE) {
                quietUntilNs = Math.min(quietUntilNs, time.nowNs() + comesNs);
                burstUntilNs = quietUntilNs;
            }
        } else {
            fail(refused(outcome));
        }
    }

    /** What becomes of a request whose pages can't be had. */
    private Ruling refused(Verdict verdict) {
        if (faultedSend) {
            receives.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            return Ruling.RECEIVE_REFUSED;
        }
        return verdict == Verdict.PAGE_LOST || verdict == Verdict.TOO_MANY_PAGES || verdict == Verdict.NOT_RESIDENT
                ? Ruling.PAGE_LOST
                : Ruling.ACCESS_REFUSED;
    }

    private Ruling execute(Packet packet, Opcode opcode, int payload) {
        return switch (opcode.kind()) {
            case SEND, RDMA_WRITE -> executeMessage(packet, opcode, payload);
            case RDMA_READ_REQUEST -> executeRead(packet, opcode);
            case ATOMIC_WRITE -> executeAtomicWrite(packet, opcode);
            default -> executeAtomic(packet, opcode);
        };
    }

    private Ruling executeMessage(Packet packet, Opcode opcode, int payload) {
        Ruling ruling = intake.place(packet, opcode, payload);
        if (ruling != Ruling.EXECUTE) {
            return ruling;
        }
        if (opcode.carriesInvalidate() && !invalidate(packet, opcode)) {
            return Ruling.ACCESS_REFUSED;
        }
        answerer.onExecuted(expectedPsn);
        expectedPsn = Psn.next(expectedPsn);
        if (opcode.endsMessage()) {
            answerer.onMessageDone();
        }
        intake.finish(packet, opcode);
        if (Bth.ackRequest(packet.segment(), packet.offset())) {
            answerer.acknowledge();
        }
        return Ruling.EXECUTE;
    }

    private boolean invalidate(Packet packet, Opcode opcode) {
        int key = Ieth.read(packet.segment(), packet.offset() + opcode.offsetOf(Extension.IETH))
                .key();
        return memory.invalidate(key, connection.rights().remoteWrite()).granted();
    }

    private Ruling executeRead(Packet packet, Opcode opcode) {
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        MemorySegment segment = packet.segment();
        long length = Integer.toUnsignedLong(Reth.length(segment, reth));
        int packets = connection.peer().mtu().packets(length);
        answerer.addRead(expectedPsn, packets, Reth.address(segment, reth), Reth.key(segment, reth), length);
        expectedPsn = Psn.add(expectedPsn, packets);
        return Ruling.EXECUTE;
    }

    private Ruling executeAtomic(Packet packet, Opcode opcode) {
        MemorySegment segment = packet.segment();
        long eth = (long) packet.offset() + opcode.offsetOf(Extension.ATOMIC_ETH);
        long address = AtomicEth.address(segment, eth);
        int key = AtomicEth.key(segment, eth);
        long swapOrAdd = AtomicEth.swapOrAdd(segment, eth);
        Accessor peer = connection.rights().remoteAtomic();
        operands.compare(AtomicEth.compare(segment, eth)).swap(swapOrAdd);
        Verdict verdict = opcode == Opcode.RC_FETCH_ADD
                ? memory.fetchAdd(peer, key, address, swapOrAdd, result)
                : memory.compareSwap(peer, key, address, operands, result);
        if (!verdict.granted()) {
            return notExecuted(verdict);
        }
        answerer.addAtomic(expectedPsn, result.original());
        expectedPsn = Psn.next(expectedPsn);
        return Ruling.EXECUTE;
    }

    private static Ruling notExecuted(Verdict verdict) {
        return switch (verdict) {
            case NOT_RESIDENT -> Ruling.PAGE_FAULT;
            case PAGE_LOST -> Ruling.PAGE_LOST;
            default -> Ruling.ACCESS_REFUSED;
        };
    }

    /** Answered like a read of nothing; kept like one, so that it is not executed again. */
    private Ruling executeAtomicWrite(Packet packet, Opcode opcode) {
        MemorySegment segment = packet.segment();
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        long address = Reth.address(segment, reth);
        int key = Reth.key(segment, reth);
        long value = segment.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) packet.offset() + opcode.headerLength());
        Verdict verdict = memory.atomicWrite(connection.rights().remoteWrite(), key, address, value);
        if (!verdict.granted()) {
            return notExecuted(verdict);
        }
        answerer.addRead(expectedPsn, 1, address, key, 0);
        expectedPsn = Psn.next(expectedPsn);
        return Ruling.EXECUTE;
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
            answerer.refuseForGood(nak, expectedPsn);
        }
    }
}
