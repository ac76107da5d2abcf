package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ConcurrentModificationException;

/**
 * A bounded ring of equal slots in off-heap memory, from one producer to one consumer.
 *
 * <p>Layout, native byte order, every word 8 bytes:
 *
 * <pre>
 *     0  tail: how many slots the producer has published
 *     8  guard: 1 while a producer is inside
 *    16  the producer's last sight of head
 *   128  head: how many slots the consumer has given back
 *   136  guard: 1 while a consumer is inside
 *   256  one flag of the consumer's choice (armed, wanted)
 *   384  slots, {@code capacity × slotLength} bytes
 * </pre>
 *
 * Positions count up for ever; the slot of a position is {@code position mod capacity}. A slot belongs to the producer
 * from the moment head passes it until tail does, and to the consumer in between.
 */
public final class Ring {
    /** Bytes before the first slot. */
    public static final int HEADER_LENGTH = 384;

    private static final int LOOKS_MAX = 64;
    private static final long TAIL = 0;
    private static final long PRODUCER_GUARD = 8;
    private static final long SEEN_HEAD = 16;
    private static final long HEAD = 128;
    private static final long CONSUMER_GUARD = 136;
    private static final long FLAG = 256;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;
    private final int capacity;
    private final int slotLength;

    private Ring(MemorySegment memory, int capacity, int slotLength) {
        this.memory = memory;
        this.capacity = capacity;
        this.slotLength = slotLength;
    }

    /** A ring over zeroed memory of {@link #lengthOf} bytes, aligned to 8. {@code capacity} must be a power of two. */
    public static Ring over(MemorySegment memory, int capacity, int slotLength) {
        if (Integer.bitCount(capacity) != 1 || slotLength <= 0 || slotLength % 8 != 0) {
            throw new IllegalArgumentException(
                    "a ring needs a power of two of slots, a multiple of 8 bytes each; found " + capacity + " slots of "
                            + slotLength + " bytes");
        }
        if (memory.byteSize() < lengthOf(capacity, slotLength)) {
            throw new IllegalArgumentException("a ring of " + capacity + " slots of " + slotLength + " bytes needs "
                    + lengthOf(capacity, slotLength) + " bytes; found " + memory.byteSize());
        }
        return new Ring(memory, capacity, slotLength);
    }

    /** Bytes of memory that a ring takes. */
    public static long lengthOf(int capacity, int slotLength) {
        return HEADER_LENGTH + (long) capacity * slotLength;
    }

    public int capacity() {
        return capacity;
    }

    /** Bytes of a slot. */
    public int slotLength() {
        return slotLength;
    }

    /** The memory that offsets from {@link #slot} refer to. */
    public MemorySegment memory() {
        return memory;
    }

    /** Offset of a position's slot in {@link #memory()}. */
    public long slot(long position) {
        return HEADER_LENGTH + (position & (capacity - 1)) * slotLength;
    }

    /** Slots published so far, with all that was written into them before. */
    public long tail() {
        return (long) LONG.getAcquire(memory, TAIL);
    }

    /**
     * Consumer: how many slots are published from its own position {@code head} on. A producer whose word can't be true,
     * more than there are slots or fewer than none, is taken to have published nothing: it may be another process.
     */
    public int published(long head) {
        long count = tail() - head;
        return count >= 0 && count <= capacity ? (int) count : 0;
    }

    /** Slots given back so far. */
    public long head() {
        return (long) LONG.getAcquire(memory, HEAD);
    }

    /**
     * Slots published and not given back, at some moment during the call. Any thread. While both sides are busy it may
     * take several looks, at most {@value #LOOKS_MAX}; after those the result is a value in range, perhaps of no moment.
     */
    public int filled() {
        long head = head();
        for (int looks = 1; ; looks++) {
            long count = tail() - head;
            long later = head();
            if (later == head || looks == LOOKS_MAX) {
                return Math.clamp(count, 0, capacity);
            }
            head = later;
        }
    }

    // --- producer

    /**
     * The position the producer may fill next, or -1 when the ring is full. On a position {@link #publish} or {@link
     * #leaveProducer} must follow.
     *
     * @throws ConcurrentModificationException when another thread is between claim and publish
     */
    public long claim() {
        enter(PRODUCER_GUARD, "posted to");
        long tail = (long) LONG.get(memory, TAIL);
        if (tail - (long) LONG.get(memory, SEEN_HEAD) < capacity) {
            return tail;
        }
        long head = head();
        LONG.set(memory, SEEN_HEAD, head);
        if (tail - head < capacity) {
            return tail;
        }
        leaveProducer();
        return -1;
    }

    /** Makes the claimed position visible to the consumer. */
    public void publish(long position) {
        LONG.setRelease(memory, TAIL, position + 1);
        leaveProducer();
    }

    /** Gives a claim up, unpublished. */
    public void leaveProducer() {
        LONG.setRelease(memory, PRODUCER_GUARD, 0L);
    }

    /** Publishes for a producer that is one by construction and needs no guard (an engine). */
    void publishUnguarded(long position) {
        LONG.setRelease(memory, TAIL, position + 1);
    }

    // --- consumer

    /** Begins; a {@link ConcurrentModificationException} when another thread has begun and not left. */
    void enterConsumer() {
        enter(CONSUMER_GUARD, "polled");
    }

    void leaveConsumer() {
        LONG.setRelease(memory, CONSUMER_GUARD, 0L);
    }

    /** Gives every slot before {@code position} back to the producer. */
    public void release(long position) {
        LONG.setRelease(memory, HEAD, position);
    }

    /** The consumer's own sight of head, without ordering. */
    long ownHead() {
        return (long) LONG.get(memory, HEAD);
    }

    // --- flag

    /** The flag, read after everything this thread has written before is visible. */
    long flagAfterFence() {
        VarHandle.fullFence();
        return (long) LONG.getOpaque(memory, FLAG);
    }

    void flag(long value) {
        LONG.setVolatile(memory, FLAG, value);
    }

    boolean takeFlag(long expected) {
        return LONG.compareAndSet(memory, FLAG, expected, 0L);
    }

    /** Consumer: wants to be told, by a doorbell, of the next slot published. */
    public void wanted() {
        flag(1);
    }

    /** Producer, after publishing: whether the consumer wants to be told; asked once, it is told once. */
    public boolean takeWanted() {
        return flagAfterFence() != 0 && takeFlag(1);
    }

    private void enter(long guard, String what) {
        if (!LONG.compareAndSet(memory, guard, 0L, 1L)) {
            throw new ConcurrentModificationException(
                    "one queue is " + what + " by two threads at once; let one thread at a time do it");
        }
    }
}
