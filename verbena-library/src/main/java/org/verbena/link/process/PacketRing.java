package org.verbena.link.process;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.verbena.link.Packet;

/**
 * Bounded queue of packets of any length: many producers, one consumer, no lock, no copy but the producer's own.
 *
 * <p>Two rings move together. The byte ring (off-heap) holds packets back to back in units of 64 bytes; a packet never crosses its end.
 * The slot ring holds one entry per packet: its place, its flow and, written last with release, its sequence number, which
 * distinguishes a slot just committed from the entry of the round before. Tail and head are single words, sequence number in the upper and byte
 * position (in units) in the lower half, so that one CAS claims slot and bytes together. Both halves wrap; only differences count.
 */
final class PacketRing {
    static final int UNIT = 64;
    private static final int UNIT_SHIFT = 6;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    // Head and tail in cache lines (and prefetched neighbours) of their own.
    private static final int TAIL = 16;
    private static final int HEAD = 48;
    private static final int CURSORS = 80;

    // Words of a slot.
    private static final int PLACE = 0; // position 32 | length 32, negative length: abandoned
    private static final int SOURCE_HIGH = 1;
    private static final int SOURCE_LOW = 2;
    private static final int STAMP = 3; // sequence 32 | source port 32
    private static final int TARGET_HIGH = 4;
    private static final int TARGET_LOW = 5;
    private static final int MARKS = 6; // target port 16 | traffic class 8 | hop limit 8 | raw 1
    private static final int SLOT_SHIFT = 3;

    private static final int PORT_SHIFT = 24;
    private static final int CLASS_SHIFT = 16;
    private static final int HOPS_SHIFT = 8;
    private static final int RAW = 1;

    private final MemorySegment segment;
    private final ByteBuffer bytes;
    private final int units;
    private final int slots;
    private final long[] slotWords;
    private final long[] cursors = new long[CURSORS];

    // The consumer's.
    private int headSequence;
    private int headPosition;
    private long place;
    private long stamp;

    /** The claim of one producer, with the head as it last read it. */
    static final class Claim {
        private int sequence;
        private int position;
        private int length;
        private long head;

        /** A claim on this ring, to be used by one thread. */
        Claim(PacketRing ring) {
            head = (long) WORDS.getAcquire(ring.cursors, HEAD);
        }

        int offset(PacketRing ring) {
            return (position & (ring.units - 1)) << UNIT_SHIFT;
        }
    }

    /** A ring of given numbers of bytes and slots, both powers of two. */
    PacketRing(int capacity, int slots) {
        assert Integer.bitCount(capacity) == 1 && Integer.bitCount(slots) == 1 : capacity + " " + slots;
        this.bytes =
                ByteBuffer.allocateDirect(capacity + UNIT).alignedSlice(UNIT).slice(0, capacity);
        this.segment = MemorySegment.ofBuffer(bytes);
        this.units = capacity >>> UNIT_SHIFT;
        this.slots = slots;
        this.slotWords = new long[slots << SLOT_SHIFT];
        // Sequence numbers start past 0, the value of an unused slot.
        headSequence = slots;
        cursors[TAIL] = cursor(slots, 0);
        WORDS.setRelease(cursors, HEAD, cursor(slots, 0));
    }

    MemorySegment segment() {
        return segment;
    }

    /** The bytes of the ring, in a buffer of the caller's own: senders and receiver move its position at the same time. */
    ByteBuffer bytes() {
        return bytes.duplicate();
    }

    /** Takes room for one packet; false if there is none now. Any thread, with its own claim. */
    boolean claim(Claim claim, int length) {
        int needed = units(length);
        while (true) {
            long tail = (long) WORDS.getAcquire(cursors, TAIL);
            int sequence = sequence(tail);
            int start = start(position(tail), needed);
            if (!fits(claim.head, sequence, start + needed)) {
                claim.head = (long) WORDS.getAcquire(cursors, HEAD);
                if (!fits(claim.head, sequence, start + needed)) {
                    return false;
                }
            }
            if (WORDS.compareAndSet(cursors, TAIL, tail, cursor(sequence + 1, start + needed))) {
                claim.sequence = sequence;
                claim.position = start;
                claim.length = length;
                return true;
            }
        }
    }

    /** The packet claimed is complete: the consumer sees it from now on. */
    void commit(Claim claim, Packet described) {
        int slot = slot(claim.sequence);
        slotWords[slot + SOURCE_HIGH] = described.sourceHigh();
        slotWords[slot + SOURCE_LOW] = described.sourceLow();
        slotWords[slot + TARGET_HIGH] = described.targetHigh();
        slotWords[slot + TARGET_LOW] = described.targetLow();
        slotWords[slot + MARKS] = marks(described);
        publish(slot, claim, claim.length, described.sourcePort());
    }

    private static long marks(Packet packet) {
        return (long) packet.targetPort() << PORT_SHIFT
                | (long) packet.trafficClass() << CLASS_SHIFT
                | (long) packet.hopLimit() << HOPS_SHIFT
                | (packet.raw() ? RAW : 0);
    }

    /** The packet claimed is none: the consumer passes over it. */
    void abandon(Claim claim) {
        publish(slot(claim.sequence), claim, -claim.length, 0);
    }

    private void publish(int slot, Claim claim, int length, int sourcePort) {
        slotWords[slot + PLACE] = cursor(claim.position, length);
        WORDS.setRelease(slotWords, slot + STAMP, cursor(claim.sequence, sourcePort));
    }

    /** The consumer: moves on to the next packet; false if there is none. It stays until {@link #release()}. */
    boolean next() {
        while (arrived()) {
            place = slotWords[slot(headSequence) + PLACE];
            if (length() > 0) {
                return true;
            }
            release();
        }
        return false;
    }

    /** The consumer: whether {@link #next()} has something to look at. */
    boolean arrived() {
        stamp = (long) WORDS.getAcquire(slotWords, slot(headSequence) + STAMP);
        return sequence(stamp) == headSequence;
    }

    int offset() {
        return (sequence(place) & (units - 1)) << UNIT_SHIFT;
    }

    int length() {
        return position(place);
    }

    /** The consumer: points the view of a packet at the current one. */
    void describe(Packet packet) {
        int slot = slot(headSequence);
        long marks = slotWords[slot + MARKS];
        packet.at(offset(), length(), 0)
                .from(slotWords[slot + SOURCE_HIGH], slotWords[slot + SOURCE_LOW], position(stamp))
                .to(slotWords[slot + TARGET_HIGH], slotWords[slot + TARGET_LOW], (int) (marks >>> PORT_SHIFT))
                .marked((int) (marks >>> CLASS_SHIFT) & 0xff, (int) (marks >>> HOPS_SHIFT) & 0xff)
                .raw((marks & RAW) != 0);
    }

    /** The consumer: gives back the current packet's room. */
    void release() {
        headSequence++;
        headPosition = sequence(place) + units(Math.abs(length()));
        WORDS.setRelease(cursors, HEAD, cursor(headSequence, headPosition));
    }

    /** The start of a packet of this number of units that is claimed at this position: not across the end. */
    private int start(int position, int needed) {
        int offset = position & (units - 1);
        return offset + needed <= units ? position : position + (units - offset);
    }

    private boolean fits(long head, int sequence, int end) {
        return sequence - sequence(head) < slots && end - position(head) <= units;
    }

    private int slot(int sequence) {
        return (sequence & (slots - 1)) << SLOT_SHIFT;
    }

    private static int units(int length) {
        return (length + UNIT - 1) >>> UNIT_SHIFT;
    }

    private static long cursor(int upper, int lower) {
        return (long) upper << 32 | (lower & 0xffff_ffffL);
    }

    private static int sequence(long cursor) {
        return (int) (cursor >>> 32);
    }

    private static int position(long cursor) {
        return (int) cursor;
    }
}
