package org.verbena.memory.translation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.PageSize;
import org.verbena.memory.Region;

/**
 * The bytes behind an entry: a segment that holds all of them, or several, and the table that says where each page is. All access
 * goes through the segments, so that the virtual machine refuses memory whose scope has ended.
 *
 * <p>Offsets and lengths are in bounds: they were judged before.
 */
public final class Backing {
    /** Of a window that is not bound. No access reaches it, because such a window is not valid. */
    public static final Backing NONE =
            new Backing(MemorySegment.NULL, TranslationTable.ofContiguous(PageSize.KIB_4.bytes(), 1), null, null, null);

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long ATOMIC_MASK = Long.BYTES - 1;
    /** Takes bytes that are read to find out whether they can be read. The JVM removes a read whose result goes nowhere. */
    private static final MemorySegment PROBED = MemorySegment.ofArray(new long[1]);

    private final MemorySegment memory;
    private final long base;
    private final TranslationTable table;
    private final @Nullable FrameMemory managed;
    private final @Nullable PagedAccess paged;
    private final @Nullable Scattering scattered;
    private final boolean contiguous;
    private final boolean mapped;

    private Backing(
            MemorySegment memory,
            TranslationTable table,
            @Nullable FrameMemory managed,
            @Nullable PagedAccess paged,
            @Nullable Scattering scattered) {
        this.memory = memory;
        this.base = memory.address();
        this.table = table;
        this.managed = managed;
        this.paged = paged;
        this.scattered = scattered;
        this.contiguous = managed == null && scattered == null;
        this.mapped = scattered == null ? contiguous && memory.isMapped() : scattered.isMapped();
    }

    /** Of native memory of the consumer. */
    public static Backing ofForeign(MemorySegment memory) {
        return new Backing(
                memory, TranslationTable.ofContiguous(memory.address(), memory.byteSize()), null, null, null);
    }

    /**
     * Of native memory of the consumer in several places.
     *
     * @throws IllegalArgumentException if the segments do not make pages of one size
     */
    public static Backing ofForeign(List<MemorySegment> segments) {
        if (segments.size() == 1) {
            return ofForeign(segments.getFirst());
        }
        Scattering scattered = new Scattering(segments);
        return new Backing(MemorySegment.NULL, scattered.table(), null, null, scattered);
    }

    /** Of memory whose pages stay in their frames. */
    public static Backing ofWired(FrameMemory wired, MemorySegment machine) {
        return new Backing(machine, wired.table(), wired, null, null);
    }

    /** Of memory whose pages come and go. */
    public static Backing ofPaged(FrameMemory managed, PagedAccess paged) {
        return new Backing(paged.machine(), managed.table(), managed, paged, null);
    }

    /** The memory if it is managed; null if it is foreign. */
    public @Nullable FrameMemory managed() {
        return managed;
    }

    /** Access to its pages if they come and go; null if they stay. */
    public @Nullable PagedAccess paged() {
        return paged;
    }

    /** Where its pages are. */
    public TranslationTable table() {
        return table;
    }

    /** Bytes. */
    public long length() {
        return table.length();
    }

    /** Whether it may not be changed. */
    public boolean isReadOnly() {
        return scattered == null ? memory.isReadOnly() : scattered.isReadOnly();
    }

    /** Whether its pages can leave machine memory. */
    public boolean isSwappable() {
        return managed != null && managed.isSwappable();
    }

    /** Whether the memory is open. */
    public boolean isAlive() {
        return scattered == null
                ? memory.scope().isAlive() && (managed == null || !managed.isShut())
                : scattered.isAlive();
    }

    /** Id of the domain whose memory it is; the host for foreign memory. */
    public int memoryDomain() {
        return managed == null ? FrameMemory.HOST : managed.domainId();
    }

    /** Whether the domain is the owner of the memory. */
    public boolean belongsTo(MemoryDomain domain) {
        return managed == null ? domain.isHost() : managed.belongsTo(domain);
    }

    /** Tells managed memory of a region on it. */
    public void onRegistered(Region region) {
        if (managed != null) {
            managed.onRegistered(region);
        }
    }

    /** Tells managed memory that a region on it is closed. */
    public void onDeregistered(Region region) {
        if (managed != null) {
            managed.onDeregistered(region);
        }
    }

    /** Holds managed memory, so that it cannot be closed before {@link #release}. */
    public void hold() {
        if (managed != null) {
            managed.hold();
        }
    }

    /** Releases managed memory. */
    public void release() {
        if (managed != null) {
            managed.release();
        }
    }

    /**
     * Holds managed memory for a registration by a send queue: wired memory stays in its frames until {@link #giveBack}.
     *
     * @throws IllegalStateException if the memory is closed
     */
    public void take() {
        if (managed != null) {
            managed.hold();
            managed.onTaken();
        }
    }

    /** The end of {@link #take}. Does not wait. */
    public void giveBack() {
        if (managed != null) {
            managed.onGivenBack();
            managed.release();
        }
    }

    /**
     * Copies bytes in.
     *
     * @param remaining bytes that the message has from the offset on, at least the length
     */
    public Verdict copyIn(long offset, MemorySegment source, long sourceOffset, int length, long remaining) {
        if (paged != null) {
            return paged.copyIn(offset, source, sourceOffset, length, remaining);
        }
        if (contiguous) {
            MemorySegment.copy(source, sourceOffset, memory, offset, length);
            surfaceFault();
        } else {
            copyInByPage(offset, source, sourceOffset, length);
        }
        return Verdict.GRANTED;
    }

    private void copyInByPage(long offset, MemorySegment source, long sourceOffset, int length) {
        requireAlive();
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(length - done, table.untilPageEnd(offset + done));
            MemorySegment segment = segmentAt(offset + done);
            MemorySegment.copy(source, sourceOffset + done, segment, positionIn(segment, offset + done), part);
            done += part;
        }
        surfaceFault();
    }

    /** Copies bytes out. Refused with NOT_RESIDENT or PAGE_LOST if a page is missing. */
    public Verdict copyOut(long offset, MemorySegment target, long targetOffset, int length) {
        if (paged != null) {
            return paged.copyOut(offset, target, targetOffset, length);
        }
        if (contiguous) {
            MemorySegment.copy(memory, offset, target, targetOffset, length);
            surfaceFault();
        } else {
            copyOutByPage(offset, target, targetOffset, length);
        }
        return Verdict.GRANTED;
    }

    private void copyOutByPage(long offset, MemorySegment target, long targetOffset, int length) {
        requireAlive();
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(length - done, table.untilPageEnd(offset + done));
            MemorySegment segment = segmentAt(offset + done);
            MemorySegment.copy(segment, positionIn(segment, offset + done), target, targetOffset + done, part);
            done += part;
        }
        surfaceFault();
    }

    /** Refuses a copy before its first byte moves if one of several segments is closed. A single segment refuses the copy itself. */
    private void requireAlive() {
        if (scattered != null) {
            scattered.requireAlive();
        }
    }

    private MemorySegment segmentAt(long offset) {
        return scattered == null ? memory : scattered.segmentAt(offset);
    }

    /** Whether the bytes at an offset are aligned for an atomic. Pages are aligned, so the offset within the page decides. */
    public boolean isAtomicallyAligned(long offset) {
        return ((table.firstOffset() + offset) & ATOMIC_MASK) == 0;
    }

    /** Adds to 8 bytes; the value before goes to {@code out}. */
    public Verdict fetchAdd(long offset, long addend, AtomicResult out) {
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            MemorySegment segment = segmentAt(offset);
            out.set((long) LONG.getAndAdd(segment, positionIn(segment, offset), addend));
            unpin(offset);
        }
        return there;
    }

    /**
     * Adds to 8 bytes as to fields apart; the value before goes to {@code out}.
     *
     * @param ends the highest bit of each field: no carry leaves it
     */
    public Verdict fetchAdd(long offset, long addend, long ends, AtomicResult out) {
        if (ends == 0) {
            return fetchAdd(offset, addend, out);
        }
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            MemorySegment segment = segmentAt(offset);
            long at = positionIn(segment, offset);
            long found;
            do {
                found = (long) LONG.getVolatile(segment, at);
            } while (!LONG.compareAndSet(segment, at, found, addFields(found, addend, ends)));
            out.set(found);
            unpin(offset);
        }
        return there;
    }

    /** The bits below the ends are added without a carry over an end; the ends themselves without the carry that leaves them. */
    private static long addFields(long value, long addend, long ends) {
        return ((value & ~ends) + (addend & ~ends)) ^ ((value ^ addend) & ends);
    }

    /** Replaces 8 bytes if they are as expected; the value before goes to {@code out}. */
    public Verdict compareSwap(long offset, AtomicOperands operands, AtomicResult out) {
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            MemorySegment segment = segmentAt(offset);
            long at = positionIn(segment, offset);
            out.set(
                    operands.hasMasks()
                            ? compareSwapBits(segment, at, operands)
                            : (long) LONG.compareAndExchange(segment, at, operands.compare(), operands.swap()));
            unpin(offset);
        }
        return there;
    }

    private static long compareSwapBits(MemorySegment segment, long at, AtomicOperands operands) {
        long found;
        do {
            found = (long) LONG.getVolatile(segment, at);
        } while (operands.matches(found) && !LONG.compareAndSet(segment, at, found, operands.swapped(found)));
        return found;
    }

    /** Replaces 8 bytes by one store. */
    public Verdict atomicWrite(long offset, long value) {
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            MemorySegment segment = segmentAt(offset);
            LONG.setVolatile(segment, positionIn(segment, offset), value);
            unpin(offset);
        }
        return there;
    }

    /**
     * Makes an atomic possible. A mapped file is read first: the JVM turns the fault of a read into an error, but dies of the fault of
     * an interpreted compare-and-set.
     */
    private Verdict pin(long offset) {
        requireAlive();
        if (mapped) {
            MemorySegment segment = segmentAt(offset);
            MemorySegment.copy(segment, positionIn(segment, offset), PROBED, 0, Long.BYTES);
            surfaceFault();
        }
        return paged == null ? Verdict.GRANTED : paged.pin(offset);
    }

    private void unpin(long offset) {
        if (paged != null) {
            paged.unpin(offset);
        }
        surfaceFault();
    }

    /**
     * Throws the InternalError of an access to a mapped file that was cut. The JVM throws it at the thread's next poll, which
     * may lie in code that must not be interrupted, such as the counting out of a copy. A call of a native method polls.
     */
    private void surfaceFault() {
        if (mapped) {
            boolean _ = Thread.holdsLock(this);
        }
    }

    private long positionIn(MemorySegment segment, long offset) {
        if (paged != null) {
            return paged.position(offset);
        }
        return table.machineAddress(offset) - (scattered == null ? base : segment.address());
    }
}
