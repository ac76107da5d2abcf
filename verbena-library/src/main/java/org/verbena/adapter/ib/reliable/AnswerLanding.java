package org.verbena.adapter.ib.reliable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.Verdict;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.link.Packet;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.wire.ib.AtomicAckEth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;

/** Places the data of answers where the slots of their requests say. */
final class AnswerLanding {
    private static final long NONE = -1;

    private final Ring ring;
    private final MemorySegment slots;
    private final ProtectionTable memory;
    private final AccessRights rights;
    private final SegmentList segments;
    private final MemorySegment original = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    /** Position of the request whose segments are loaded. */
    private long loaded = NONE;

    AnswerLanding(Ring ring, ProtectionTable memory, AccessRights rights) {
        this.ring = ring;
        this.slots = ring.memory();
        this.memory = memory;
        this.rights = rights;
        this.segments = SegmentList.within(SendSlot.room(ring.slotLength()));
    }

    /** A connection begins: the slots may have been written anew. */
    void begin() {
        loaded = NONE;
    }

    /** Places the payload of a read response at {@code offset} of the message. */
    Verdict placeRead(long position, long offset, Packet packet, Opcode opcode, int payload) {
        load(position);
        return segments.place(
                memory,
                rights.localWrite(),
                offset,
                packet.segment(),
                packet.offset() + opcode.headerLength(),
                payload);
    }

    /** Places the value that an atomic has found, in the byte order of this machine. */
    Verdict placeOriginal(long position, Packet packet, Opcode opcode) {
        long eth = (long) packet.offset() + opcode.offsetOf(Extension.ATOMIC_ACK_ETH);
        original.set(ValueLayout.JAVA_LONG, 0, AtomicAckEth.original(packet.segment(), eth));
        load(position);
        int length = (int) Math.min(Long.BYTES, segments.total());
        return segments.place(memory, rights.localWrite(), 0, original, 0, length);
    }

    private void load(long position) {
        if (loaded != position) {
            loaded = position;
            long slot = ring.slot(position);
            segments.load(slots, slot + SendSlot.HEADER_LENGTH, SendSlot.segments(slots, slot));
        }
    }
}
