package org.verbena.memory.protection;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Pinned;
import org.verbena.memory.Region;
import org.verbena.memory.translation.Backing;
import org.verbena.memory.translation.TranslationTable;

/** A region of a table. */
public final class TableRegion implements Region {
    private final Registrar registrar;
    private final TableDomain domain;
    private final Backing backing;
    private final long backingOffset;
    private final long length;
    private final long address;
    private final Set<Right> rights;
    private final boolean reserved;
    /** Pages that a send queue may put behind its key; 0 if its memory is fixed. */
    private final int room;

    private final int index;
    private final @Nullable RegionIo currentIo;
    private final AtomicBoolean closed = new AtomicBoolean();

    TableRegion(Registrar registrar, Registrar.Request request, int index, @Nullable RegionIo currentIo) {
        this.registrar = registrar;
        this.index = index;
        this.currentIo = currentIo;
        this.domain = request.domain();
        this.backing = request.backing();
        this.backingOffset = request.part().offset();
        this.length = request.part().length();
        this.address = request.address();
        this.rights = Set.copyOf(Right.ofMask(request.rights()));
        this.reserved = request.reserved();
        this.room = 0;
    }

    /** With room for pages, and no memory yet. */
    TableRegion(Registrar registrar, TableDomain domain, int index, int room) {
        this.registrar = registrar;
        this.index = index;
        this.room = room;
        this.domain = domain;
        this.currentIo = null;
        this.backing = Backing.NONE;
        this.backingOffset = 0;
        this.length = 0;
        this.address = 0;
        this.rights = Set.of();
        this.reserved = true;
    }

    /**
     * The implementation behind a region.
     *
     * @throws IllegalArgumentException if it is not one of this library's
     */
    public static TableRegion of(Region region) {
        if (region instanceof TableRegion own) {
            return own;
        }
        throw new IllegalArgumentException(region + " was not registered with an adapter");
    }

    @Override
    public int key() {
        return entry().key;
    }

    private ProtectionEntry entry() {
        return registrar.entryOf(index, this);
    }

    @Override
    public long address() {
        return room == 0 ? address : entry().start;
    }

    @Override
    public long length() {
        return room == 0 ? length : entry().length;
    }

    /** Where in its memory it begins. */
    public long backingOffset() {
        return backingOffset;
    }

    @Override
    public Set<Right> rights() {
        return room == 0 ? rights : Set.copyOf(Right.ofMask(entry().rights));
    }

    @Override
    public int room() {
        return room;
    }

    @Override
    public TableDomain domain() {
        return domain;
    }

    @Override
    public int memoryDomain() {
        return backing().memoryDomain();
    }

    /** Where its pages are; common to all regions that share the memory. */
    public TranslationTable translation() {
        return backing().table();
    }

    @Override
    public Pinned pin(long offset, long length, Pinned.Mode mode) {
        if (room > 0) {
            throw new UnsupportedOperationException("the memory of " + this + " comes and goes: pin the memory itself");
        }
        ManagedMemory managed = backing.managed();
        if (managed == null) {
            throw new UnsupportedOperationException("foreign memory needs no pin: use the segment that was registered");
        }
        if (offset < 0 || length < 0 || offset > this.length - length) {
            throw new IndexOutOfBoundsException(length + " bytes at offset " + offset + " are not within the "
                    + this.length + " bytes of the region");
        }
        return managed.pin(backingOffset + offset, length, mode);
    }

    @Override
    public boolean isValid() {
        return !closed.get() && entry().state.isValid();
    }

    @Override
    public RegionIo currentIo() {
        if (currentIo == null) {
            throw new IllegalStateException(this + " was registered without a current-I/O field");
        }
        return currentIo;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            registrar.remove(index);
            backing.onDeregistered(this);
            backing.release();
            domain.release();
            if (currentIo != null) {
                currentIo.onClosed();
            }
        }
    }

    /** Makes the region invalid for good, because its memory ends. When it returns no access is under way. */
    public void revoke() {
        if (!closed.get()) {
            registrar.revoke(index, backing);
            if (currentIo != null) {
                currentIo.onClosed();
            }
        }
    }

    /** The current I/O of a region that may be swapped out; null if it may not. */
    public @Nullable RegionIo currentIoOrNull() {
        return currentIo;
    }

    boolean isReserved() {
        return reserved;
    }

    boolean isClosed() {
        return closed.get();
    }

    boolean isOf(Registrar other) {
        return registrar == other;
    }

    BackingPart part() {
        return new BackingPart(backing, backingOffset, length);
    }

    /** Where its bytes are. */
    public Backing backing() {
        return room == 0 ? backing : entry().backing();
    }

    StateWord state() {
        return entry().state;
    }

    @Override
    public String toString() {
        if (room > 0) {
            return "region with room for " + room + " pages in " + domain;
        }
        return "region of " + length() + " bytes at 0x" + Long.toHexString(address) + " in " + domain;
    }
}
