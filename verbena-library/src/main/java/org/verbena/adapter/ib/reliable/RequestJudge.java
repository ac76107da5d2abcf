package org.verbena.adapter.ib.reliable;

import java.lang.foreign.MemorySegment;
import org.verbena.Verdict;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ib.message.MessageIntake;
import org.verbena.adapter.ib.message.Ruling;
import org.verbena.link.Packet;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/**
 * Decides on a request that has the expected sequence number, in the specification's order of checks (9.7.4.1). It has no effect
 * on memory; it may take a posted receive in hand.
 */
final class RequestJudge {
    private final ReliableConnection connection;
    private final ProtectionTable memory;
    private final MessageIntake intake;

    RequestJudge(ReliableConnection connection, ProtectionTable memory, MessageIntake intake) {
        this.connection = connection;
        this.memory = memory;
        this.intake = intake;
    }

    Ruling judge(Packet packet, Opcode opcode, int payload, ResponseQueue responses) {
        if (!intake.continues(opcode)) {
            return Ruling.INVALID;
        }
        return switch (opcode.kind()) {
            case SEND, RDMA_WRITE -> intake.judge(packet, opcode, payload);
            case RDMA_READ_REQUEST -> judgeRead(packet, opcode, payload, responses);
            case FETCH_ADD, COMPARE_SWAP -> judgeAtomic(packet, opcode, payload, responses);
            case ATOMIC_WRITE -> judgeAtomicWrite(packet, opcode, payload, responses);
            default -> Ruling.INVALID;
        };
    }

    private Ruling judgeRead(Packet packet, Opcode opcode, int payload, ResponseQueue responses) {
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        MemorySegment segment = packet.segment();
        long length = Integer.toUnsignedLong(Reth.length(segment, reth));
        if (!connection.rights().allows(connection.rights().remoteRead())
                || payload != 0
                || length > Limits.MESSAGE_MAX
                || responses.isFull()) {
            return Ruling.INVALID;
        }
        return judge(connection.rights().remoteRead(), Reth.key(segment, reth), Reth.address(segment, reth), length);
    }

    private Ruling judgeAtomic(Packet packet, Opcode opcode, int payload, ResponseQueue responses) {
        long eth = (long) packet.offset() + opcode.offsetOf(Extension.ATOMIC_ETH);
        MemorySegment segment = packet.segment();
        long address = AtomicEth.address(segment, eth);
        if (!connection.rights().allows(connection.rights().remoteAtomic())
                || payload != 0
                || (address & 7) != 0
                || responses.isFull()) {
            return Ruling.INVALID;
        }
        return judge(connection.rights().remoteAtomic(), AtomicEth.key(segment, eth), address, Long.BYTES);
    }

    private Ruling judgeAtomicWrite(Packet packet, Opcode opcode, int payload, ResponseQueue responses) {
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        MemorySegment segment = packet.segment();
        long address = Reth.address(segment, reth);
        if (!connection.rights().allows(connection.rights().remoteWrite())
                || payload != Long.BYTES
                || Reth.length(segment, reth) != Long.BYTES
                || (address & 7) != 0
                || responses.isFull()) {
            return Ruling.INVALID;
        }
        return judge(connection.rights().remoteWrite(), Reth.key(segment, reth), address, Long.BYTES);
    }

    private Ruling judge(Accessor who, int key, long address, long length) {
        Verdict verdict = memory.judge(who, key, address, length);
        return verdict.granted() ? Ruling.EXECUTE : intake.refuse(key, address, length, verdict);
    }
}
