package org.verbena.adapter.ib.reliable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.Mtu;
import org.verbena.Verdict;
import org.verbena.adapter.ib.message.MessageIntake;
import org.verbena.adapter.ib.message.Ruling;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.PeerMessages;
import org.verbena.link.Packet;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Ieth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.PacketKind;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Reth;

/**
 * Executes requests that {@link RequestJudge} has admitted, in the order of their sequence numbers, and has them answered. A
 * request that meets a page fault or is refused leaves the expected number as it is.
 */
final class RequestExecutor {
    private final AccessRights rights;
    private final ProtectionTable memory;
    private final MessageIntake intake;
    private final Answerer answerer;
    private final Mtu mtu;
    private final AtomicOperands operands = new AtomicOperands();
    private final AtomicResult result = new AtomicResult();
    /** The atomic that waits for its page. */
    private final PeerMessages atomics;

    private int expectedPsn;

    RequestExecutor(AccessRights rights, ProtectionTable memory, MessageIntake intake, Answerer answerer, Mtu mtu) {
        this.rights = rights;
        this.memory = memory;
        this.intake = intake;
        this.answerer = answerer;
        this.mtu = mtu;
        this.atomics = new PeerMessages(memory, 1);
    }

    void begin(int firstPsn) {
        expectedPsn = firstPsn;
    }

    /** No message of the peer is under way any more. */
    void release() {
        intake.abandon();
        atomics.end(0);
    }

    /** Number of the next request to execute. */
    int expectedPsn() {
        return expectedPsn;
    }

    /** Executes one packet; EXECUTE if it was done. */
    Ruling execute(Packet packet, Opcode opcode, int payload) {
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
        if (opcode.carriesInvalidate()) {
            int key = Ieth.key(packet.segment(), packet.offset() + opcode.offsetOf(Extension.IETH));
            Verdict verdict = memory.invalidate(key, rights.remoteWrite());
            if (!verdict.granted()) {
                return intake.refuse(key, 0, 0, verdict);
            }
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

    private Ruling executeRead(Packet packet, Opcode opcode) {
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        MemorySegment segment = packet.segment();
        long length = Integer.toUnsignedLong(Reth.length(segment, reth));
        int packets = mtu.packets(length);
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
        Accessor peer = rights.remoteAtomic();
        operands.compare(AtomicEth.compare(segment, eth)).swap(swapOrAdd);
        Verdict verdict = opcode == Opcode.RC_FETCH_ADD
                ? memory.fetchAdd(peer, key, address, swapOrAdd, result)
                : memory.compareSwap(peer, key, address, operands, result);
        if (!verdict.granted()) {
            return notExecuted(key, address, verdict);
        }
        atomics.end(0);
        answerer.addAtomic(expectedPsn, result.original());
        expectedPsn = Psn.next(expectedPsn);
        return Ruling.EXECUTE;
    }

    /** It is answered like a read of no bytes, and kept like one, so that it is not executed again. */
    private Ruling executeAtomicWrite(Packet packet, Opcode opcode) {
        MemorySegment segment = packet.segment();
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        long address = Reth.address(segment, reth);
        int key = Reth.key(segment, reth);
        long value = segment.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) packet.offset() + opcode.headerLength());
        Verdict verdict = memory.atomicWrite(rights.remoteWrite(), key, address, value);
        if (!verdict.granted()) {
            return notExecuted(key, address, verdict);
        }
        atomics.end(0);
        answerer.addRead(expectedPsn, 1, address, key, 0);
        expectedPsn = Psn.next(expectedPsn);
        return Ruling.EXECUTE;
    }

    private Ruling notExecuted(int key, long address, Verdict verdict) {
        return switch (verdict) {
            case NOT_RESIDENT -> {
                atomics.begin(0, key);
                yield Ruling.PAGE_FAULT;
            }
            case PAGE_LOST -> Ruling.PAGE_LOST;
            default -> intake.refuse(key, address, Long.BYTES, verdict);
        };
    }

    /** Adds to a fault the pages of the request that met it. */
    Verdict demand(Fault fault, Packet packet, Opcode opcode, int payload) {
        PacketKind kind = opcode.kind();
        return kind == PacketKind.SEND || kind == PacketKind.RDMA_WRITE
                ? intake.demand(fault, packet, opcode, payload)
                : demandAtomic(fault, packet, opcode);
    }

    private Verdict demandAtomic(Fault fault, Packet packet, Opcode opcode) {
        MemorySegment segment = packet.segment();
        boolean write = opcode == Opcode.RC_ATOMIC_WRITE;
        long at = (long) packet.offset() + opcode.offsetOf(write ? Extension.RETH : Extension.ATOMIC_ETH);
        return fault.add(
                write ? rights.remoteWrite() : rights.remoteAtomic(),
                write ? Reth.key(segment, at) : AtomicEth.key(segment, at),
                write ? Reth.address(segment, at) : AtomicEth.address(segment, at),
                Long.BYTES,
                Long.BYTES,
                Fault.Intent.ATOMIC);
    }
}
