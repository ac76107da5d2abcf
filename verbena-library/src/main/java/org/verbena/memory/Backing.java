package org.verbena.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The bytes behind an entry: a segment that holds all of them, and the table that says where in it each page is. All
 * access goes through the segment, so the virtual machine itself refuses memory whose scope has ended.
 *
 * <p>Offsets and lengths are in bounds here: they were judged.
 */
final class Backing {
    /** Of a window that is not bound: never reached by an access, since such a window is not valid. */
    static final Backing NONE =
            new Backing(MemorySegment.NULL, TranslationTable.ofContiguous(PageSize.KIB_4.bytes(), 1), null, null);

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long ATOMIC_MASK = Long.BYTES - 1;

    private final MemorySegment memory;
    private final long base;
    private final TranslationTable table;
    private final @Nullable ManagedMemory managed;
    private final @Nullable PagedAccess paged;
    private final boolean contiguous;

    private Backing(
            MemorySegment memory,
            TranslationTable table,
            @Nullable ManagedMemory managed,
            @Nullable PagedAccess paged) {
        this.memory = memory;
        this.base = memory.address();
        this.table = table;
        this.managed = managed;
        this.paged = paged;
        this.contiguous = managed == null;
    }

    static Backing ofForeign(MemorySegment memory) {
        return new Backing(memory, TranslationTable.ofContiguous(memory.address(), memory.byteSize()), null, null);
    }

    static Backing ofWired(WiredMemory wired) {
        return new Backing(wired.machineSegment(), wired.table(), wired, null);
    }

    static Backing ofPaged(PagedMemory managed, PagedAccess paged) {
        return new Backing(paged.machine(), managed.table(), managed, paged);
    }

    /** The memory if it is Verbena's; null if it is foreign. */
    @Nullable
    ManagedMemory managed() {
        return managed;
    }

    /** How its pages are reached if they come and go; null if they stay. */
    @Nullable
    PagedAccess paged() {
        return paged;
    }

    TranslationTable table() {
        return table;
    }

    long length() {
        return table.length();
    }

    boolean isReadOnly() {
        return memory.isReadOnly();
    }

    boolean isAlive() {
        return memory.scope().isAlive() && (managed == null || !managed.isShut());
    }

    /** The domain of the memory; the host's for memory that is not ours. */
    int memoryDomain() {
        return managed == null ? Domain.HOST : managed.domainId();
    }

    void onRegistered(Region region) {
        if (managed != null) {
            managed.onRegistered(region);
        }
    }

    void onDeregistered(Region region) {
        if (managed != null) {
            managed.onDeregistered(region);
        }
    }

    /** The memory behind it if it is paged. */
    @Nullable
    PagedMemory pagedMemory() {
        return managed instanceof PagedMemory it ? it : null;
    }

    void hold() {
        if (managed != null) {
            managed.hold();
        }
    }

    void release() {
        if (managed != null) {
            managed.release();
        }
    }

    /** Of a message that has {@code remaining} bytes from the offset on. */
    Verdict copyIn(long offset, MemorySegment source, long sourceOffset, int length, long remaining) {
        if (paged != null) {
            return paged.copyIn(offset, source, sourceOffset, length, remaining);
        }
        if (contiguous) {
            MemorySegment.copy(source, sourceOffset, memory, offset, length);
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

    Verdict copyOut(long offset, MemorySegment target, long targetOffset, int length) {
        if (paged != null) {
            return paged.copyOut(offset, target, targetOffset, length);
        }
        if (contiguous) {
            MemorySegment.copy(memory, offset, target, targetOffset, length);
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

    /** Pages are aligned, so the place within the page decides. */
    boolean isAtomicallyAligned(long offset) {
        return ((table.firstOffset() + offset) & ATOMIC_MASK) == 0;
    }

    Verdict fetchAdd(long offset, long addend, AtomicResult out) {
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            out.set((long) LONG.getAndAdd(memory, positionOf(offset), addend));
            unpin(offset);
        }
        return there;
    }

    Verdict compareSwap(long offset, AtomicOperands operands, AtomicResult out) {
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            out.set((long) LONG.compareAndExchange(memory, positionOf(offset), operands.compare(), operands.swap()));
            unpin(offset);
        }
        return there;
    }

    Verdict atomicWrite(long offset, long value) {
        Verdict there = pin(offset);
        if (there == Verdict.GRANTED) {
            LONG.setVolatile(memory, positionOf(offset), value);
            unpin(offset);
        }
        return there;
    }

    private Verdict pin(long offset) {
        return paged == null ? Verdict.GRANTED : paged.pin(offset);
    }

    private void unpin(long offset) {
        if (paged != null) {
            paged.unpin(offset);
        }
    }

    private long positionOf(long offset) {
        return paged == null ? table.machineAddress(offset) - base : paged.position(offset);
    }
}
