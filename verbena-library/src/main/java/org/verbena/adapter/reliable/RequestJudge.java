package org.verbena.adapter.reliable;

import java.lang.foreign.MemorySegment;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ReceiveSource;
import org.verbena.adapter.ReceiveWork;
import org.verbena.link.Packet;
import org.verbena.memory.Accessor;
import org.verbena.memory.ProtectionTable;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Operation;
import org.verbena.wire.ib.Reth;

/**
 * Decides on a request that has the sequence number awaited, in the specification's order of checks (9.7.4.1), without
 * an effect on memory: at most a posted receive is taken in hand.
 */
final class RequestJudge {
    private final ReliableConnection connection;
    private final ProtectionTable memory;
    private final ReceiveSource receives;
    private final ReceiveWork work;
    private final InboundMessage message;

    RequestJudge(
            ReliableConnection connection,
            ProtectionTable memory,
            ReceiveSource receives,
            ReceiveWork work,
            InboundMessage message) {
        this.connection = connection;
        this.memory = memory;
        this.receives = receives;
        this.work = work;
        this.message = message;
    }

    Ruling judge(Packet packet, Opcode opcode, int payload, ResponseQueue responses) {
        if (!continues(opcode)) {
            return Ruling.INVALID;
        }
        return switch (opcode.operation()) {
            case SEND -> judgeSend(opcode, payload);
            case RDMA_WRITE -> judgeWrite(packet, opcode, payload);
            case RDMA_READ_REQUEST -> judgeRead(packet, opcode, payload, responses);
            case FETCH_ADD, COMPARE_SWAP -> judgeAtomic(packet, opcode, payload, responses);
            default -> Ruling.INVALID;
        };
    }

    /** First and only between messages; middle and last within a message of their kind. */
    private boolean continues(Opcode opcode) {
        Operation under = message.operation();
        return opcode.startsMessage() ? under == null : under == opcode.operation();
    }

    /** All packets but the last are full; the last of several is not empty. */
    private boolean fits(Opcode opcode, int payload) {
        int mtu = connection.mtuBytes();
        return switch (opcode.position()) {
            case FIRST, MIDDLE -> payload == mtu;
            case LAST -> payload > 0 && payload <= mtu;
            case ONLY -> payload <= mtu;
        };
    }

    private Ruling judgeSend(Opcode opcode, int payload) {
        if (!fits(opcode, payload)) {
            return Ruling.INVALID;
        }
        if (!work.held() && !receives.take(work)) {
            return Ruling.NOT_READY;
        }
        long placed = opcode.startsMessage() ? 0 : message.placed();
        return placed + payload > work.segments().total() ? Ruling.TOO_LONG : Ruling.EXECUTE;
    }

    private Ruling judgeWrite(Packet packet, Opcode opcode, int payload) {
        if (!connection.rights().allows(connection.rights().remoteWrite()) || !fits(opcode, payload)) {
            return Ruling.INVALID;
        }
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        MemorySegment segment = packet.segment();
        long left = opcode.startsMessage() ? Integer.toUnsignedLong(Reth.length(segment, reth)) : message.remaining();
        if (left > Limits.MESSAGE_MAX || (opcode.endsMessage() ? payload != left : payload >= left)) {
            return Ruling.INVALID;
        }
        if (opcode.startsMessage()
                && !granted(
                        connection.rights().remoteWrite(),
                        Reth.key(segment, reth),
                        Reth.address(segment, reth),
                        left)) {
            return Ruling.ACCESS_REFUSED;
        }
        if (opcode.carriesImmediate() && !work.held() && !receives.take(work)) {
            return Ruling.NOT_READY;
        }
        return Ruling.EXECUTE;
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
        return granted(connection.rights().remoteRead(), Reth.key(segment, reth), Reth.address(segment, reth), length)
                ? Ruling.EXECUTE
                : Ruling.ACCESS_REFUSED;
    }

    private Ruling judgeAtomic(Packet packet, Opcode opcode, int payload, ResponseQueue responses) {
        long eth = (long) packet.offset() + opcode.offsetOf(Extension.ATOMIC_ETH);
        AtomicEth atomic = AtomicEth.read(packet.segment(), eth);
        if (!connection.rights().allows(connection.rights().remoteAtomic())
                || payload != 0
                || (atomic.address() & 7) != 0
                || responses.isFull()) {
            return Ruling.INVALID;
        }
        return granted(connection.rights().remoteAtomic(), atomic.key(), atomic.address(), 8)
                ? Ruling.EXECUTE
                : Ruling.ACCESS_REFUSED;
    }

    private boolean granted(Accessor who, int key, long address, long length) {
        return memory.judge(who, key, address, length).granted();
    }
}
