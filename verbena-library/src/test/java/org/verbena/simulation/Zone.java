package org.verbena.simulation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.time.Seed;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.RemoteMemory;

/**
 * Registered memory and its shadow: what the model says is in it. Foreign memory has a guard on either side, which
 * belongs to nobody and must never change; the shadow has both.
 */
final class Zone implements AutoCloseable {
    private static final int GUARD = 512;
    private static final int PAGE = 4096;

    private final String name;
    private final long length;
    private final Region region;
    private final long[] words;
    private final MemorySegment shadowAll;
    private final MemorySegment shadow;
    private final @Nullable MemorySegment foreign;
    private final @Nullable Arena arena;
    private final @Nullable ManagedMemory managed;
    private final @Nullable Overcommit overcommit;
    private final MemorySegment scratch;

    private Zone(Node node, String name, long length, Set<Right> rights, MemorySegment all, Arena arena) {
        this.name = name;
        this.length = length;
        this.arena = arena;
        this.foreign = all;
        this.managed = null;
        this.overcommit = null;
        this.region = node.adapter().register(node.domain(), all.asSlice(GUARD, length), rights);
        this.words = new long[(int) (length + 2 * GUARD) / 8];
        this.shadowAll = MemorySegment.ofArray(words);
        this.shadow = shadowAll.asSlice(GUARD, length);
        this.scratch = MemorySegment.NULL;
    }

    private Zone(
            Node node,
            String name,
            ManagedMemory managed,
            @Nullable Overcommit overcommit,
            long address,
            Set<Right> rights) {
        this.name = name;
        this.length = managed.length();
        this.arena = null;
        this.foreign = null;
        this.managed = managed;
        this.overcommit = overcommit;
        this.region = node.adapter().register(node.domain(), managed, address, rights);
        this.words = new long[(int) length / 8];
        this.shadowAll = MemorySegment.ofArray(words);
        this.shadow = shadowAll;
        this.scratch = MemorySegment.ofArray(new byte[(int) length]);
    }

    /** Memory of the consumer's own. */
    static Zone foreign(Node node, String name, long length, Set<Right> rights) {
        Arena arena = Arena.ofShared();
        return new Zone(node, name, length, rights, arena.allocate(length + 2 * GUARD, 4096), arena);
    }

    /** Memory in frames of the machine's, known by addresses from {@code address} on. */
    static Zone managed(Node node, String name, long length, Set<Right> rights, MachineMemory machine, long address) {
        return new Zone(node, name, machine.allocate(length), null, address, rights);
    }

    /** Memory whose pages come and go. */
    static Zone paged(Node node, String name, long length, Set<Right> rights, Overcommit overcommit, long address) {
        return new Zone(node, name, overcommit.allocate(length), overcommit, address, rights);
    }

    /** Puts chance into all of it, guards too, and the same into the shadow. */
    Zone fill(Seed seed) {
        for (int i = 0; i < words.length; i++) {
            words[i] = seed.nextLong();
        }
        if (foreign != null) {
            foreign.copyFrom(shadowAll);
        } else if (managed != null) {
            calmly(() -> managed.write(0, shadow));
        }
        return this;
    }

    String name() {
        return name;
    }

    long length() {
        return length;
    }

    Region region() {
        return region;
    }

    MemorySegment shadow() {
        return shadow;
    }

    LocalSegment local(long offset, long bytes) {
        return LocalSegment.of(region, offset, bytes);
    }

    RemoteMemory remote(long offset) {
        return RemoteMemory.of(region).plus(offset);
    }

    /** Its bytes as they are now; valid until the next view. */
    MemorySegment view(long offset, long bytes) {
        if (foreign != null) {
            return foreign.asSlice(GUARD + offset, bytes);
        }
        MemorySegment part = scratch.asSlice(offset, bytes);
        if (managed != null && bytes > 0) {
            calmly(() -> managed.read(offset, part));
        }
        return part;
    }

    /** A consumer that waits for its pages. */
    private void calmly(Runnable act) {
        if (overcommit == null) {
            act.run();
        } else {
            overcommit.calmly(act);
        }
    }

    /** Pages wholly within a range may hold zeros instead: a message that would have overwritten them was refused. */
    void forgive(long offset, long bytes) {
        for (long page = (offset + PAGE - 1) / PAGE; (page + 1) * PAGE <= offset + bytes; page++) {
            MemorySegment zeros = MemorySegment.ofArray(new byte[PAGE]);
            if (managed != null && view(page * PAGE, PAGE).mismatch(zeros) < 0) {
                shadow.asSlice(page * PAGE, PAGE).copyFrom(zeros);
            }
        }
    }

    /** What is there is taken for right. */
    void believe(Pieces pieces) {
        for (int i = 0; i < pieces.count(); i++) {
            long offset = pieces.offset(i);
            shadow.asSlice(offset, pieces.length(i)).copyFrom(view(offset, pieces.length(i)));
        }
    }

    long readLong(long offset) {
        return view(offset, 8).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    /** Where, counted from the zone's start, memory and shadow differ first; {@link Long#MIN_VALUE} if nowhere. */
    long firstDifference() {
        long at;
        if (foreign != null) {
            at = foreign.mismatch(shadowAll);
            return at < 0 ? Long.MIN_VALUE : at - GUARD;
        }
        at = view(0, length).mismatch(shadow);
        return at < 0 ? Long.MIN_VALUE : at;
    }

    /** Deregisters it and gives the memory back. Idempotent. */
    @Override
    public void close() {
        region.close();
        if (managed != null) {
            managed.close();
        }
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }
}
