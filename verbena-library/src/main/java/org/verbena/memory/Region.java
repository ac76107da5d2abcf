package org.verbena.memory;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory: an entry of the protection table from registration to {@link #close}. Any thread.
 *
 * <p>The memory stays the consumer's: it may be read and written at any time, at the risk of seeing a message half
 * placed. Foreign memory may even be closed under the region; accesses are refused from then on.
 */
public final class Region implements AutoCloseable {
    private final ProtectionTable table;
    private final ProtectionDomain domain;
    private final Backing backing;
    private final long address;
    private final Set<Right> rights;
    private final boolean reserved;
    private final int index;
    private final @Nullable CurrentIo currentIo;
    private final AtomicBoolean closed = new AtomicBoolean();

    Region(ProtectionTable table, Request request, int index, @Nullable CurrentIo currentIo) {
        this.table = table;
        this.index = index;
        this.currentIo = currentIo;
        this.domain = request.domain;
        this.backing = request.backing;
        this.address = request.address;
        this.rights = Set.copyOf(Right.ofMask(request.rights));
        this.reserved = request.reserved;
    }

    /** What is to be registered, judged and complete. */
    record Request(
            ProtectionDomain domain,
            Backing backing,
            long address,
            int rights,
            boolean reserved,
            CurrentIo.@Nullable Mode currentIo) {
        Request {
            if (Long.compareUnsigned(address + (backing.length() - 1), address) < 0) {
                throw new IllegalArgumentException("region of " + backing.length() + " bytes at 0x"
                        + Long.toHexString(address) + " wraps around the end of the address space");
            }
            if (backing.isReadOnly() && (rights & Right.CHANGE) != 0) {
                throw new IllegalArgumentException("read-only memory cannot be registered for " + Right.ofMask(rights));
            }
        }
    }

    /** The key for local and remote use. A reserved region's key changes when it is enabled under a new instance. */
    public int key() {
        return table.entryOf(index, this).key;
    }

    /** The address its first byte has in accesses under its key. */
    public long address() {
        return address;
    }

    /** Bytes. */
    public long length() {
        return backing.length();
    }

    /** What its entry grants; local read always. */
    public Set<Right> rights() {
        return rights;
    }

    /** The domain it was registered in. */
    public ProtectionDomain domain() {
        return domain;
    }

    /**
     * Id of the domain whose memory it is, 0 for the host's and for memory of the consumer's own. It stands in the entry of
     * the key and says whose translation an access goes through: see {@link Hypervisor#domain}.
     */
    public int memoryDomain() {
        return backing.memoryDomain();
    }

    /** Where its pages are; common to all regions that share the memory. */
    public TranslationTable translation() {
        return backing.table();
    }

    /**
     * Pins a range of managed memory by its offset in the region; see {@link ManagedMemory#pin}.
     *
     * @throws UnsupportedOperationException if the memory is foreign: it stays where it is anyway
     */
    public Pinned pin(long offset, long length, Pinned.Mode mode) {
        ManagedMemory managed = backing.managed();
        if (managed == null) {
            throw new UnsupportedOperationException("foreign memory needs no pin: use the segment that was registered");
        }
        return managed.pin(offset, length, mode);
    }

    /** Whether accesses under its key can be granted now. */
    public boolean isValid() {
        return !closed.get() && table.entryOf(index, this).state.isValid();
    }

    /**
     * The current I/O of a region that may be swapped out.
     *
     * @throws IllegalStateException if it was registered without
     */
    public CurrentIo currentIo() {
        if (currentIo == null) {
            throw new IllegalStateException(this + " was registered without a current-I/O field");
        }
        return currentIo;
    }

    /**
     * Deregisters. When it returns no access is under way and none will come: the memory may be freed. Windows bound to
     * the region are refused from now on. Idempotent.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            table.remove(index);
            backing.onDeregistered(this);
            backing.release();
            domain.release();
            if (currentIo != null) {
                currentIo.onClosed();
            }
        }
    }

    /** Invalid for good: its memory goes. When it returns no access is under way. */
    void revoke() {
        if (!closed.get()) {
            table.revoke(index, backing);
            if (currentIo != null) {
                currentIo.onClosed();
            }
        }
    }

    @Nullable
    CurrentIo currentIoOrNull() {
        return currentIo;
    }

    boolean isReserved() {
        return reserved;
    }

    boolean isClosed() {
        return closed.get();
    }

    boolean isOf(ProtectionTable table) {
        return this.table == table;
    }

    Backing backing() {
        return backing;
    }

    StateWord state() {
        return table.entryOf(index, this).state;
    }

    @Override
    public String toString() {
        return "region of " + length() + " bytes at 0x" + Long.toHexString(address) + " in " + domain;
    }
}
