package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ConcurrentModificationException;
import org.verbena.QueuePairState;

/**
 * A bounded ring of equal slots in native memory, from one producer to one consumer. Either side may be another process:
 * all state is in the memory, and this object only has a copy of the sizes.
 *
 * <p>Layout, native byte order:
 *
 * <pre>
 *     0     {@code RingHeader}
 *   128  8  tail: slots that the producer has published
 *   136  8  1 while a thread of the producer is inside; used by the producer's side only
 *   144  8  the head that the producer has read last; used by the producer's side only
 *   256  8  head: slots that the consumer has given back
 *   264  8  1 while a thread of the consumer is inside; used by the consumer's side only
 *   384  4  wish of the consumer to be told: see {@link CompletionRing} and {@link #wanted}
 *   512     slots, {@code capacity × slotLength} bytes
 * </pre>
 *
 * Positions count up without end; the slot of a position is {@code position mod capacity}. A slot belongs to the producer
 * from the moment head passes it until tail does, and to the consumer in between.
 */
public final class Ring {
    /** Bytes before the first slot. */
    public static final int HEADER_LENGTH = 512;

    static final long TAIL = 128;
    static final long PRODUCER_GUARD = 136;
    static final long SEEN_HEAD = 144;
    static final long HEAD = 256;
    static final long CONSUMER_GUARD = 264;
    static final long WISH = 384;

    private static final int LOOKS_MAX = 64;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment memory;
    private final int capacity;
    private final int slotLength;

    private Ring(MemorySegment memory, int capacity, int slotLength) {
        this.memory = memory;
        this.capacity = capacity;
        this.slotLength = slotLength;
    }

    /**
     * Makes an empty ring in memory. Whatever the memory held is gone.
     *
     * @param memory at least {@link #lengthOf} bytes, as {@link RingMemory#allocate} gives it
     * @param capacity slots, a power of two
     * @param slotLength bytes of a slot, a multiple of 8
     * @throws IllegalArgumentException if one of them does not fit
     */
    public static Ring create(MemorySegment memory, RingKind kind, int capacity, int slotLength) {
        Ring ring = over(memory, kind, capacity, slotLength);
        RingHeader.write(memory, kind, capacity, slotLength, HEADER_LENGTH);
        return ring;
    }

    /**
     * Takes part in a ring that another process, or another object of this one, has made.
     *
     * @param memory begins with the ring; may be longer
     * @throws IllegalArgumentException if the memory does not hold a ring of this kind and layout, with what was found
     */
    public static Ring attach(MemorySegment memory, RingKind kind) {
        RingHeader header = RingHeader.read(memory, kind);
        return over(memory, kind, header.capacity(), header.slotLength());
    }

    private static Ring over(MemorySegment memory, RingKind kind, int capacity, int slotLength) {
        if (capacity <= 0
                || Integer.bitCount(capacity) != 1
                || slotLength % 8 != 0
                || slotLength < kind.slotLengthMin()) {
            throw new IllegalArgumentException(
                    "a ring of kind " + kind + " needs a power of two of slots, a multiple of 8"
                            + " and at least " + kind.slotLengthMin() + " bytes each; found " + capacity + " slots of "
                            + slotLength + " bytes");
        }
        RingHeader.requireUsable(memory, lengthOf(capacity, slotLength));
        return new Ring(memory, capacity, slotLength);
    }

    /** Bytes of memory that a ring takes. */
    public static long lengthOf(int capacity, int slotLength) {
        return HEADER_LENGTH + (long) capacity * slotLength;
    }

    /** Number of slots. */
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

    /** Offset of a position's slot in {@link #memory()}; in bounds for every position. */
    public long slot(long position) {
        return HEADER_LENGTH + (position & (capacity - 1)) * slotLength;
    }

    /** Slots published so far. Writes of the producer into them are visible. */
    public long tail() {
        return (long) LONG.getAcquire(memory, TAIL);
    }

    /**
     * Consumer: number of slots that are published from its own position {@code head} on. A tail that cannot be true, with
     * more slots than there are or fewer than none, counts as no slot: the producer may be another process.
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
     * Claims the position that the producer may fill next.
     *
     * @return -1 when the ring is full. After a position, {@link #publish} or {@link #leaveProducer} must follow
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
        publishUnguarded(position);
        leaveProducer();
    }

    /** Gives a claim up; nothing is published. */
    public void leaveProducer() {
        LONG.setRelease(memory, PRODUCER_GUARD, 0L);
    }

    /** Publishes for a producer that is a single thread by construction and needs no guard: an engine. */
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

    /** The head as the consumer itself has written it, without ordering. */
    long ownHead() {
        return (long) LONG.get(memory, HEAD);
    }

    // --- wish

    /** The wish, read after everything that this thread has written before is visible. */
    int wishAfterFence() {
        VarHandle.fullFence();
        return (int) INT.getOpaque(memory, WISH);
    }

    void wish(int value) {
        INT.setVolatile(memory, WISH, value);
    }

    boolean takeWish(int expected) {
        return INT.compareAndSet(memory, WISH, expected, 0);
    }

    /** Consumer of a receive ring: asks for a doorbell when the next slot is published. */
    public void wanted() {
        wish(1);
    }

    /** Producer of a receive ring, after publishing: whether the consumer asked for a doorbell; a request is taken once. */
    public boolean takeWanted() {
        return wishAfterFence() != 0 && takeWish(1);
    }

    // --- state of the queue pair, in a send ring

    /** Engine: tells the consumer of the state. Later reads of this thread happen after the state is visible. */
    public void state(QueuePairState state) {
        INT.setRelease(memory, RingHeader.STATE_AT, state.code());
        VarHandle.fullFence();
    }

    /** The state of the queue pair as the engine told it last. An engine does not read it: a consumer can overwrite it. */
    public QueuePairState state() {
        return QueuePairState.of((int) INT.getAcquire(memory, RingHeader.STATE_AT));
    }

    private void enter(long guard, String what) {
        if (!LONG.compareAndSet(memory, guard, 0L, 1L)) {
            throw new ConcurrentModificationException(
                    "one queue is " + what + " by two threads at once; let one thread at a time do it");
        }
    }
}
