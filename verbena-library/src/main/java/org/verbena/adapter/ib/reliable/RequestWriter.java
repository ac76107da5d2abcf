package org.verbena.adapter.ib.reliable;

import java.lang.foreign.MemorySegment;
import org.verbena.Operation;
import org.verbena.Verdict;
import org.verbena.adapter.ib.message.SendData;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.link.Packet;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** Writes the extension headers and the data of request packets, from the slots of requests that have been started. */
final class RequestWriter {
    private final Ring ring;
    private final MemorySegment slots;
    private final Outstanding outstanding;
    private final SendData data;
    private final ProtectionTable memory;
    private final AccessRights rights;

    RequestWriter(Ring ring, Outstanding outstanding, SendData data, ProtectionTable memory, AccessRights rights) {
        this.ring = ring;
        this.slots = ring.memory();
        this.outstanding = outstanding;
        this.data = data;
        this.memory = memory;
        this.rights = rights;
    }

    /** Writes a packet with {@code payload} bytes from {@code offset} of the message. */
    Verdict writeData(Packet packet, Opcode opcode, long position, long offset, int payload) {
        boolean inline = outstanding.inline(position);
        data.load(position, inline);
        data.extend(packet, opcode, position, outstanding.length(position));
        return data.gather(memory, rights.localRead(), packet, opcode.headerLength(), offset, payload, inline);
    }

    /** Writes a request to read {@code length} bytes from {@code offset} of the message. */
    void writeRead(Packet packet, long position, long offset, long length) {
        long slot = ring.slot(position);
        Reth.write(
                packet.segment(),
                packet.offset() + Opcode.RC_RDMA_READ_REQUEST.offsetOf(Extension.RETH),
                SendSlot.remoteAddress(slots, slot) + offset,
                SendSlot.remoteKey(slots, slot),
                (int) length);
    }

    /** Writes a request to fetch and add, or to compare and swap. */
    void writeAtomic(Packet packet, long position, Operation operation) {
        long slot = ring.slot(position);
        long first = SendSlot.firstOperand(slots, slot);
        boolean add = operation == Operation.FETCH_ADD;
        long swapOrAdd = add ? first : SendSlot.secondOperand(slots, slot);
        long eth = (long) packet.offset() + Opcode.RC_FETCH_ADD.offsetOf(Extension.ATOMIC_ETH);
        AtomicEth.write(packet.segment(), eth, SendSlot.remoteAddress(slots, slot), SendSlot.remoteKey(slots, slot));
        AtomicEth.writeOperands(packet.segment(), eth, swapOrAdd, add ? 0 : first);
    }
}
