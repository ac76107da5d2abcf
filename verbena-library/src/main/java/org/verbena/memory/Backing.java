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
            new Backing(MemorySegment.NULL, TranslationTable.ofContiguous(PageSize.KIB_4.bytes(), 1), null);

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long ATOMIC_MASK = Long.BYTES - 1;

    private final MemorySegment memory;
    private final long base;
    private final TranslationTable table;
    private final @Nullable ManagedMemory managed;
    private final boolean contiguous;

    private Backing(MemorySegment memory, TranslationTable table, @Nullable ManagedMemory managed) {
        this.memory = memory;
        this.base = memory.address();
        this.table = table;
        this.managed = managed;
        this.contiguous = managed == null;
    }

    static Backing ofForeign(MemorySegment memory) {
        return new Backing(memory, TranslationTable.ofContiguous(memory.address(), memory.byteSize()), null);
    }

    static Backing ofManaged(ManagedMemory managed) {
        return new Backing(managed.machineSegment(), managed.table(), managed);
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
        return memory.scope().isAlive();
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

    void copyIn(long offset, MemorySegment source, long sourceOffset, int length) {
        if (contiguous) {
            MemorySegment.copy(source, sourceOffset, memory, offset, length);
        } else {
            copyInByPage(offset, source, sourceOffset, length);
        }
    }

    private void copyInByPage(long offset, MemorySegment source, long sourceOffset, int length) {
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(length - done, table.untilPageEnd(offset + done));
            MemorySegment.copy(source, sourceOffset + done, memory, positionOf(offset + done), part);
            done += part;
        }
    }

    void copyOut(long offset, MemorySegment target, long targetOffset, int length) {
        if (contiguous) {
            MemorySegment.copy(memory, offset, target, targetOffset, length);
        } else {
            copyOutByPage(offset, target, targetOffset, length);
        }
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

    long fetchAdd(long offset, long addend) {
        return (long) LONG.getAndAdd(memory, positionOf(offset), addend);
    }

    long compareSwap(long offset, AtomicOperands operands) {
        return (long) LONG.compareAndExchange(memory, positionOf(offset), operands.compare(), operands.swap());
    }

    void atomicWrite(long offset, long value) {
        LONG.setVolatile(memory, positionOf(offset), value);
    }

    private long positionOf(long offset) {
        return table.machineAddress(offset) - base;
    }
}
