package org.verbena.tools.perf;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Pinned;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.Adapter;

/**
 * Where the messages of one end are. The consumer sees them in a segment: the memory itself, or, as paged memory is in no one
 * place, a copy that {@link #push} and {@link #pull} bring up to date.
 */
final class MessageMemory implements AutoCloseable {
    private static final Set<Right> RIGHTS = EnumSet.allOf(Right.class);
    /** Of managed memory; the consumer's own is known by its addresses. */
    private static final long ADDRESS = 1L << 44;

    private static final long PAGE = MachineMemory.FRAME;
    private static final long EXTENT = 16 * PAGE;

    private final Arena arena = Arena.ofShared();
    private final List<Pinned> pins = new ArrayList<>();
    private @Nullable MachineMemory machine;
    private @Nullable Hypervisor hypervisor;
    private @Nullable ManagedMemory managed;
    private final boolean copied;
    private final MemorySegment segment;

    /** @throws ToolException if there is not enough memory */
    MessageMemory(MemoryChoice choice, long bytes) {
        copied = choice.kind() == MemoryChoice.Kind.PAGED;
        try {
            segment = switch (choice.kind()) {
                case FOREIGN -> arena.allocate(bytes, PAGE);
                case WIRED -> keep(wired(bytes).pinShared(0, bytes, Pinned.Mode.WRITE));
                case PAGED -> copyOf(paged(bytes, choice.machine()));
            };
        } catch (OutOfMemoryError e) {
            close();
            throw new ToolException("cannot allocate " + bytes + " bytes of memory for messages", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private MemorySegment keep(Pinned pinned) {
        pins.add(pinned);
        return pinned.segment();
    }

    private ManagedMemory wired(long bytes) {
        MachineMemory own = new MachineMemory((bytes + EXTENT - 1) / EXTENT * EXTENT);
        machine = own;
        ManagedMemory memory = own.allocateContiguous(bytes);
        managed = memory;
        return memory;
    }

    /** By default there are frames for twice as much, so that no page is evicted. */
    private ManagedMemory paged(long bytes, long machineBytes) {
        long enough = Math.max(HypervisorOptions.MEMORY_MIN, 2 * (bytes + EXTENT));
        Hypervisor own = Hypervisor.open(HypervisorOptions.of(machineBytes == 0 ? enough : machineBytes));
        hypervisor = own;
        ManagedMemory memory = own.host().allocate(bytes);
        managed = memory;
        return memory;
    }

    /** Writes to all of the memory, so that it has its frames before anything is measured. */
    private MemorySegment copyOf(ManagedMemory memory) {
        MemorySegment copy = arena.allocate(memory.length(), PAGE);
        memory.write(0, copy);
        return copy;
    }

    /** The segment that the consumer sees. */
    MemorySegment segment() {
        return segment;
    }

    Region register(Adapter adapter, ProtectionDomain domain) {
        return managed == null
                ? adapter.register(domain, segment, RIGHTS)
                : adapter.register(domain, managed, ADDRESS, RIGHTS);
    }

    /** The consumer has changed a part of the segment. */
    void push(long at, long length) {
        if (copied && length > 0 && managed != null) {
            managed.write(at, segment.asSlice(at, length));
        }
    }

    /** The consumer will look at a part of the segment. */
    void pull(long at, long length) {
        if (copied && length > 0 && managed != null) {
            managed.read(at, segment.asSlice(at, length));
        }
    }

    /** One byte of the memory itself, kept where it is until the memory is closed. */
    MemorySegment inPlace(long at) {
        return copied && managed != null ? keep(managed.pinShared(at, 1, Pinned.Mode.WRITE)) : segment.asSlice(at, 1);
    }

    /** After the region. */
    @Override
    public void close() {
        arena.close();
        pins.forEach(Pinned::close);
        if (managed != null) {
            managed.close();
        }
        if (machine != null) {
            machine.close();
        }
        if (hypervisor != null) {
            hypervisor.close();
        }
    }
}
