package org.verbena.memory.translation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.PageSize;
import org.verbena.memory.Region;

/**
 * The bytes behind an entry: a segment that holds all of them, and the table that says where in it each page is. All access
 * goes through the segment, so that the virtual machine refuses memory whose scope has ended.
 *
 * <p>Offsets and lengths are in bounds: they were judged before.
 */
public final class Backing {
    /** Of a window that is not bound. No access reaches it, because such a window is not valid. */
    public static final Backing NONE =
            new Backing(MemorySegment.NULL, TranslationTable.ofContiguous(PageSize.KIB_4.bytes(), 1), null, null);

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long ATOMIC_MASK = Long.BYTES - 1;
    /** Takes bytes that are read to find out whether they can be read. The JVM removes a read whose result goes nowhere. */
    private static final MemorySegment PROBED = MemorySegment.ofArray(new long[1]);

    private final MemorySegment memory;
    private final long base;
    private final TranslationTable table;
    private final @Nullable FrameMemory managed;
    private final @Nullable PagedAccess paged;
    private final boolean contiguous;
    private final boolean mapped;

    private Backing(
            MemorySegment memory, TranslationTable table, @Nullable FrameMemory managed, @Nullable PagedAccess paged) {
        this.memory = memory;
        this.base = memory.address();
        this.table = table;
        this.managed = managed;
        this.paged = paged;
        this.contiguous = managed == null;
        this.mapped = contiguous && memory.isMapped();
    }

    /** Of native memory of the consumer. */
    public static Backing ofForeign(MemorySegment memory) {
        return new Backing(memory, TranslationTable.ofContiguous(memory.address(), memory.byteSize()), null, null);
    }

    /** Of memory whose pages stay in their frames. */
    public static Backing ofWired(FrameMemory wired, MemorySegment machine) {
        return new Backing(machine, wired.table(), wired, null);
    }

    /** Of memory whose pages come and go. */
    public static Backing ofPaged(FrameMemory managed, PagedAccess paged) {
        return new Backing(paged.machine(), managed.table(), managed, paged);
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
        return memory.isReadOnly();
    }

    /** Whether its pages can leave machine memory. */
    public boolean isSwappable() {
        return managed != null && managed.isSwappable();
    }

    /** Whether the memory is open. */
    public boolean isAlive() {
        return memory.scope().isAlive() && (managed == null || !managed.isShut());
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
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(length - done, table.untilPageEnd(offset + done));
            MemorySegment.copy(source, sourceOffset + done, memory, positionOf(offset + done), part);
            done += part;
        }
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
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(length - done, table.untilPageEnd(offset + done));
            MemorySegment.copy(memory, positionOf(offset + done), target, targetOffset + done, part);
            done += part;
        }
    }

    /** Whether the bytes at an offset are aligned for an atomic. Pages are aligned, so the offset within the page decides. */
    public boolean isAtomicallyAligned(long offset) {
        return ((table.firstOffset() + offset) & ATOMIC_MASK) == 0;
    }

    /** Adds to 8 bytes; the value before goes to {@code out}. */
    public Verdict fetchAdd(long offset, long addend, AtomicResult out) {
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            out.set((long) LONG.getAndAdd(memory, positionOf(offset), addend));
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
            long at = positionOf(offset);
            long found;
            do {
                found = (long) LONG.getVolatile(memory, at);
            } while (!LONG.compareAndSet(memory, at, found, addFields(found, addend, ends)));
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
            long at = positionOf(offset);
            out.set(
                    operands.hasMasks()
                            ? compareSwapBits(at, operands)
                            : (long) LONG.compareAndExchange(memory, at, operands.compare(), operands.swap()));
            unpin(offset);
        }
        return there;
    }

    private long compareSwapBits(long at, AtomicOperands operands) {
        long found;
        do {
            found = (long) LONG.getVolatile(memory, at);
        } while (operands.matches(found) && !LONG.compareAndSet(memory, at, found, operands.swapped(found)));
        return found;
    }

    /** Replaces 8 bytes by one store. */
    public Verdict atomicWrite(long offset, long value) {
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            LONG.setVolatile(memory, positionOf(offset), value);
            unpin(offset);
        }
        return there;
    }

    /**
     * Makes an atomic possible. A mapped file is read first: the JVM turns the fault of a read into an error, but dies of the fault of
     * an interpreted compare-and-set.
     */
    private Verdict pin(long offset) {
        if (mapped) {
            MemorySegment.copy(memory, offset, PROBED, 0, Long.BYTES);
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

    private long positionOf(long offset) {
        return paged == null ? table.machineAddress(offset) - base : paged.position(offset);
    }
}
