package org.verbena.adapter.pair;

import java.lang.foreign.MemorySegment;
import org.verbena.Verdict;
import org.verbena.adapter.Limits;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.faults.PageHold;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.LocalSegments;

/**
 * A gather or scatter list taken out of a ring: bytes of a message by their offset in it. Walking forward, as packets
 * do, costs nothing; going back starts over.
 */
public final class SegmentList {
    private final long[] addresses;
    private final long[] lengths;
    private final int[] keys;
    private int count;
    private long total;
    private int cursor;
    private long cursorStart;

    /** For lists that fit in this number of bytes of a slot, with at most {@link Limits#SEGMENTS_MAX} segments. */
    public static SegmentList within(int bytes) {
        return new SegmentList(Math.min(Limits.SEGMENTS_MAX, bytes / LocalSegments.LENGTH));
    }

    private SegmentList(int segmentsMax) {
        addresses = new long[segmentsMax];
        lengths = new long[segmentsMax];
        keys = new int[segmentsMax];
    }

    /** Takes {@code segments} segments at {@code at} of a ring; a count for which a slot has no room is reduced to its room. */
    public void load(MemorySegment ring, long at, int segments) {
        count = Math.clamp(segments, 0, addresses.length);
        total = 0;
        for (int i = 0; i < count; i++) {
            long segment = at + (long) i * LocalSegments.LENGTH;
            addresses[i] = LocalSegments.address(ring, segment);
            lengths[i] = LocalSegments.length(ring, segment);
            keys[i] = LocalSegments.key(ring, segment);
            total += lengths[i];
        }
        rewind();
    }

    int count() {
        return count;
    }

    int key(int segment) {
        return keys[segment];
    }

    /** Bytes of all segments. */
    public long total() {
        return total;
    }

    /** The key of the segment that has the byte at this offset of the message. */
    public int keyAt(long offset) {
        seek(offset);
        return keys[cursor];
    }

    /** The address of the byte at this offset of the message. */
    public long addressAt(long offset) {
        seek(offset);
        return addresses[cursor] + offset - cursorStart;
    }

    /** Bytes from this offset of the message to the end of its segment. */
    public long leftAt(long offset) {
        seek(offset);
        return lengths[cursor] - (offset - cursorStart);
    }

    /**
     * Copies bytes of the message out of the consumer's memory. The copy of the first bytes judges all segments: a message of several packets
     * sends none if a later segment is refused. A copy of the whole message needs no judgement ahead, because its packet does not leave.
     */
    public Verdict gather(
            ProtectionTable memory, Accessor who, long offset, MemorySegment target, long targetAt, int length) {
        if (offset == 0 && length < total) {
            Verdict whole = judge(memory, who);
            if (!whole.granted()) {
                return whole;
            }
        }
        return move(memory, who, offset, target, targetAt, length, false);
    }

    /**
     * Copies bytes of the message into the consumer's memory. The copy of the first bytes judges all segments, those that the message does not
     * reach too: no byte lands if one is refused.
     */
    public Verdict place(
            ProtectionTable memory, Accessor who, long offset, MemorySegment source, long sourceAt, int length) {
        if (offset == 0 && length > 0 && (count > 1 || length < total)) {
            Verdict whole = judge(memory, who);
            if (!whole.granted()) {
                return whole;
            }
        }
        return move(memory, who, offset, source, sourceAt, length, true);
    }

    private Verdict move(
            ProtectionTable memory,
            Accessor who,
            long offset,
            MemorySegment packet,
            long packetAt,
            int length,
            boolean inwards) {
        if (offset + length > total) {
            return Verdict.OUT_OF_BOUNDS; // a consumer changed the list after it was taken
        }
        long from = offset;
        long at = packetAt;
        for (int left = length; left > 0; ) {
            seek(from);
            long inSegment = from - cursorStart;
            int step = (int) Math.min(left, lengths[cursor] - inSegment);
            long address = addresses[cursor] + inSegment;
            Verdict verdict = inwards
                    ? memory.place(who, keys[cursor], address, packet, at, step)
                    : memory.gather(who, keys[cursor], address, packet, at, step);
            if (!verdict.granted()) {
                return verdict;
            }
            from += step;
            at += step;
            left -= step;
        }
        return Verdict.GRANTED;
    }

    /** Whether every segment may be accessed. */
    public Verdict judge(ProtectionTable memory, Accessor who) {
        for (int i = 0; i < count; i++) {
            Verdict verdict = memory.judge(who, keys[i], addresses[i], lengths[i]);
            if (!verdict.granted()) {
                return verdict;
            }
        }
        return Verdict.GRANTED;
    }

    /** Adds to a fault {@code length} bytes of the message, and those of {@code remaining} that follow in the same segments. */
    public Verdict demand(Fault fault, Accessor who, long offset, long length, long remaining, Fault.Intent intent) {
        if (offset + length > total) {
            return Verdict.OUT_OF_BOUNDS;
        }
        long from = offset;
        for (long left = length; left > 0; ) {
            seek(from);
            long inSegment = from - cursorStart;
            long step = Math.min(left, lengths[cursor] - inSegment);
            long follows = Math.min(remaining - (from - offset), lengths[cursor] - inSegment);
            Verdict verdict =
                    fault.add(who, keys[cursor], addresses[cursor] + inSegment, step, Math.max(step, follows), intent);
            if (!verdict.granted()) {
                return verdict;
            }
            from += step;
            left -= step;
        }
        return Verdict.GRANTED;
    }

    /** Adds to a fault the first {@code length} bytes, or all if there are fewer, as bytes that are needed soon. */
    void foresee(Fault fault, Accessor who, long length) {
        long left = length;
        for (int i = 0; i < count && left > 0; i++) {
            long step = Math.min(left, lengths[i]);
            fault.foresee(who, keys[i], addresses[i], step);
            left -= step;
        }
    }

    /** Holds the pages of {@code length} bytes of the message; all or nothing. */
    public Verdict hold(PageHold hold, ProtectionTable memory, Accessor who, long offset, long length) {
        if (offset + length > total) {
            return Verdict.OUT_OF_BOUNDS;
        }
        long from = offset;
        for (long left = length; left > 0; ) {
            seek(from);
            long inSegment = from - cursorStart;
            long step = Math.min(left, lengths[cursor] - inSegment);
            Verdict verdict = hold.add(memory, who, keys[cursor], addresses[cursor] + inSegment, step);
            if (!verdict.granted()) {
                hold.release();
                return verdict;
            }
            from += step;
            left -= step;
        }
        return Verdict.GRANTED;
    }

    private void seek(long offset) {
        if (offset < cursorStart) {
            rewind();
        }
        while (offset - cursorStart >= lengths[cursor]) {
            cursorStart += lengths[cursor];
            cursor++;
        }
    }

    private void rewind() {
        cursor = 0;
        cursorStart = 0;
    }
}
