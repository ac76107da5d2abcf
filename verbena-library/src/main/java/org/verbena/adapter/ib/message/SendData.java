package org.verbena.adapter.ib.message;

import java.lang.foreign.MemorySegment;
import org.verbena.Verdict;
import org.verbena.adapter.Limits;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.link.Packet;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Ieth;
import org.verbena.wire.ib.ImmDt;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** Fills packets from the slots of a send ring: extension headers, and data from memory or from the slot itself. */
public final class SendData {
    private final Ring ring;
    private final MemorySegment slots;
    private final SegmentList segments;
    private long loaded = -1;

    public SendData(Ring ring) {
        this.ring = ring;
        this.slots = ring.memory();
        this.segments = SegmentList.within(SendSlot.room(ring.slotLength()));
    }

    /** Forgets the request in hand. */
    public void begin() {
        loaded = -1;
    }

    /** Takes the segments of the request at a position in hand. */
    public SegmentList load(long position, boolean inline) {
        if (loaded != position) {
            loaded = position;
            long slot = ring.slot(position);
            segments.load(slots, slot + SendSlot.HEADER_LENGTH, inline ? 0 : SendSlot.segments(slots, slot));
        }
        return segments;
    }

    /** Whether the length of the request in hand is that of its data. */
    public boolean isConsistent(long length, boolean inline) {
        return length <= Limits.MESSAGE_MAX
                && (inline ? length <= SendSlot.room(ring.slotLength()) : length == segments.total());
    }

    /** Writes remote memory, immediate data or a key to invalidate, as the opcode has them. */
    public void extend(Packet packet, Opcode opcode, long position, long length) {
        long slot = ring.slot(position);
        MemorySegment segment = packet.segment();
        if (opcode.carriesReth()) {
            Reth.write(
                    segment,
                    packet.offset() + opcode.offsetOf(Extension.RETH),
                    SendSlot.remoteAddress(slots, slot),
                    SendSlot.remoteKey(slots, slot),
                    (int) length);
        }
        if (opcode.carriesImmediate()) {
            ImmDt.write(segment, packet.offset() + opcode.offsetOf(Extension.IMMDT), SendSlot.argument(slots, slot));
        } else if (opcode.carriesInvalidate()) {
            Ieth.write(segment, packet.offset() + opcode.offsetOf(Extension.IETH), SendSlot.argument(slots, slot));
        }
    }

    /** Copies {@code payload} bytes from {@code offset} of the message of the request in hand behind the headers. */
    public Verdict gather(
            ProtectionTable memory,
            Accessor who,
            Packet packet,
            int headerLength,
            long offset,
            int payload,
            boolean inline) {
        long at = (long) packet.offset() + headerLength;
        if (inline) {
            long data = ring.slot(loaded) + SendSlot.HEADER_LENGTH;
            MemorySegment.copy(slots, data + offset, packet.segment(), at, payload);
            return Verdict.GRANTED;
        }
        return segments.gather(memory, who, offset, packet.segment(), at, payload);
    }
}
