package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.wire.iwarp.TerminateCode;

/** The answers to the reads and atomics on the wire: judged, and placed. Answers come in the order of the requests. */
final class Answers {
    private final Ring ring;
    private final MemorySegment slots;
    private final ProtectionTable memory;
    private final AccessRights rights;
    /** Made with the first answer to an atomic. */
    private @Nullable AtomicLanding landing;

    private OutstandingRequests outstanding = new OutstandingRequests(1);

    Answers(Ring ring, ProtectionTable memory, AccessRights rights) {
        this.ring = ring;
        this.slots = ring.memory();
        this.memory = memory;
        this.rights = rights;
    }

    /** Takes answers to requests from now on, to at most this many at a time; a ready message may be among them. */
    void begin(int requestsMax) {
        boolean readyAwaited = outstanding.isReadyAwaited();
        outstanding = new OutstandingRequests(Math.max(1, requestsMax));
        outstanding.readyAwaited(readyAwaited);
    }

    /** The requests that are not answered. */
    OutstandingRequests outstanding() {
        return outstanding;
    }

    /** Whether the oldest request that is not answered is an atomic. */
    boolean awaitsAtomic() {
        return !outstanding.isReadyAwaited() && !outstanding.isEmpty() && outstanding.isAtomic();
    }

    /**
     * Judges a segment of a read response: it must be the next of the oldest read. The answer to a ready message has no data.
     *
     * @return null if it is
     */
    @Nullable
    TerminateCode judgeRead(int key, long address, int count, boolean last) {
        if (outstanding.isReadyAwaited()) {
            return count == 0 && last ? null : TerminateCode.DDP_BASE_OR_BOUNDS;
        }
        if (outstanding.isEmpty() || outstanding.isAtomic()) {
            return TerminateCode.RDMAP_UNEXPECTED_OPCODE;
        }
        if (count > 0 && key != outstanding.key()) {
            return TerminateCode.DDP_INVALID_STAG;
        }
        boolean fits = count <= outstanding.remaining() && last == (count == outstanding.remaining());
        boolean next = count == 0 || address == outstanding.address();
        return fits && next ? null : TerminateCode.DDP_BASE_OR_BOUNDS;
    }

    /** Whether a read that is not answered asks for data that go to this memory. */
    boolean awaitsRead(int key, long address, int count) {
        return outstanding.isAwaited(key, address, count);
    }

    /** Adds to a fault the pages of data of the oldest read. */
    Verdict demandRead(Fault fault, int count) {
        return fault.add(
                rights.localWrite(),
                outstanding.key(),
                outstanding.address(),
                count,
                outstanding.remaining(),
                Fault.Intent.OVERWRITE);
    }

    /** Places the value that the oldest atomic has found, in the byte order of this machine. */
    Verdict placeOriginal(long value) {
        AtomicLanding place = landing();
        place.original.set(ValueLayout.JAVA_LONG, 0, value);
        long slot = ring.slot(outstanding.position());
        SegmentList segments = place.segments;
        segments.load(slots, slot + SendSlot.HEADER_LENGTH, SendSlot.segments(slots, slot));
        int count = (int) Math.min(Long.BYTES, segments.total());
        return segments.place(memory, rights.localWrite(), 0, place.original, 0, count);
    }

    /** Adds to a fault the page of the value that the oldest atomic has found. */
    Verdict demandOriginal(Fault fault) {
        SegmentList segments = landing().segments;
        return segments.demand(fault, rights.localWrite(), 0, segments.total(), segments.total(), Fault.Intent.WRITE);
    }

    private AtomicLanding landing() {
        AtomicLanding present = landing;
        if (present == null) {
            present = new AtomicLanding(
                    SegmentList.within(SendSlot.room(ring.slotLength())),
                    Arena.ofAuto().allocate(Long.BYTES, Long.BYTES));
            landing = present;
        }
        return present;
    }

    /**
     * What an answer to an atomic needs.
     *
     * @param segments where the value goes
     * @param original the value, outside the heap as all that is placed
     */
    private record AtomicLanding(SegmentList segments, MemorySegment original) {}
}
