package org.verbena.memory.protection;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.Key;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.Region;
import org.verbena.memory.RemoteAccess;
import org.verbena.memory.Right;
import org.verbena.memory.Verdict;
import org.verbena.memory.Window;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.memory.translation.Backing;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.time.Seed;

/**
 * All memory an adapter may touch, by key. Accesses ({@link #judge}, {@link #place}, {@link #gather},
 * {@link #fetchAdd}, {@link #compareSwap}, {@link #atomicWrite}) come from any engine thread, take no lock, allocate nothing and throw for no
 * key, address or length; the segment of the other side must have room for the length. Everything else may be called by
 * any thread.
 */
public final class ProtectionTable {
    private final AtomicInteger domains = new AtomicInteger();
    private final EntrySlots slots;
    private final EntryChanges changes;
    private final Registrar registrar;
    private volatile boolean operationsCounted;

    /**
     * An empty table.
     *
     * @param capacityMax number of regions and windows it holds at most, below 2^24; space is taken as needed
     * @param seed decides the order of indexes and the first instances
     */
    public ProtectionTable(int capacityMax, Seed seed) {
        this(capacityMax, new KeyPool(capacityMax, seed));
    }

    /** An empty table with another source of keys. */
    public ProtectionTable(int capacityMax, KeySource keys) {
        slots = new EntrySlots(capacityMax);
        changes = new EntryChanges(slots);
        registrar = new Registrar(slots, keys);
    }

    /** A new domain whose peers may use keys of regions and of windows. */
    public ProtectionDomain createDomain() {
        return createDomain(RemoteAccess.REGIONS_AND_WINDOWS);
    }

    /** Whether the domain is one of this table's. */
    public boolean owns(ProtectionDomain domain) {
        return domain instanceof TableDomain own && own.isOf(this);
    }

    /**
     * Adds an entry to a domain, for a queue pair or an address handle: the domain cannot be closed before {@link #release}.
     *
     * @throws IllegalArgumentException if the domain is of another table
     * @throws IllegalStateException if the domain is closed
     */
    public void hold(ProtectionDomain domain) {
        own(domain).hold();
    }

    /** Removes an entry that {@link #hold} has added. */
    public void release(ProtectionDomain domain) {
        own(domain).release();
    }

    private TableDomain own(ProtectionDomain domain) {
        if (domain instanceof TableDomain own && own.isOf(this)) {
            return own;
        }
        throw new IllegalArgumentException(domain + " is of another protection table");
    }

    /** A new domain. */
    public ProtectionDomain createDomain(RemoteAccess remoteAccess) {
        return new TableDomain(this, domains.incrementAndGet(), remoteAccess);
    }

    /**
     * Registers memory of the consumer's; its addresses under the key are its native addresses.
     *
     * <p>One thing cannot be guarded here: a segment mapped from a file that is cut short while registered. The virtual
     * machine reports that as an {@link InternalError} at some later point of the thread that copied.
     *
     * @param foreign native, alive, accessible by every thread; stays the consumer's, who closes the region before it
     *     or lives with refused accesses
     * @throws IllegalArgumentException if the segment or the rights cannot be
     * @throws IllegalStateException if the table is full or the domain closed
     */
    public TableRegion register(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        return register(domain, ForeignMemory.backing(foreign), foreign.address(), rights, false, null);
    }

    /**
     * Registers managed memory, which cannot be closed before the region is.
     *
     * @param address of its first byte in accesses under the key, zero if one likes
     */
    public TableRegion register(ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights) {
        return register(domain, FrameMemory.of(memory).backing(), address, rights, false, null);
    }

    /**
     * Registers managed memory that may be swapped out: the hypervisor asks for quiesce through the region's
     * {@link Region#currentIo}, and the consumer promises to begin no operation then.
     */
    public TableRegion register(
            ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights, CurrentIo.Mode currentIo) {
        if (currentIo == CurrentIo.Mode.LIBRARY) {
            operationsCounted = true;
        }
        return register(domain, FrameMemory.of(memory).backing(), address, rights, false, currentIo);
    }

    /** Like {@link #register(ProtectionDomain, MemorySegment, Set)}, but not valid before {@link #enable}. */
    public TableRegion reserve(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        return register(domain, ForeignMemory.backing(foreign), foreign.address(), rights, true, null);
    }

    /** Like {@link #register(ProtectionDomain, ManagedMemory, long, Set)}, but not valid before {@link #enable}. */
    public TableRegion reserve(ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights) {
        return register(domain, FrameMemory.of(memory).backing(), address, rights, true, null);
    }

    /** A second region on the same memory and addresses: own key, domain and rights, common translation table. */
    public TableRegion share(Region region, ProtectionDomain domain, Set<Right> rights) {
        TableRegion shared = TableRegion.of(region);
        if (!shared.isOf(registrar)) {
            throw new IllegalArgumentException(region + " is of another protection table");
        }
        if (shared.isClosed()) {
            throw new IllegalStateException(region + " is closed");
        }
        return register(domain, shared.backing(), region.address(), rights, false, null);
    }

    private TableRegion register(
            ProtectionDomain domain,
            Backing backing,
            long address,
            Set<Right> rights,
            boolean reserved,
            CurrentIo.@Nullable Mode currentIo) {
        TableDomain own = own(domain);
        int mask = Rights.ofRegion(rights);
        return registrar.add(new Registrar.Request(own, backing, address, mask, reserved, currentIo));
    }

    /** A new window that is not bound. */
    public Window createWindow(ProtectionDomain domain, Window.Type type) {
        return registrar.addWindow(own(domain), type);
    }

    /**
     * Binds a window, as a send queue asks for it. Nothing changes unless granted.
     *
     * @param who the queue pair, for {@link Right#BIND_WINDOW}
     * @param windowKey the key of the window before
     */
    public Verdict bind(Accessor who, int windowKey, Binding binding) {
        return changes.bind(who, windowKey, binding);
    }

    /**
     * Takes back a type 2 window or a reserved region, as a send queue or a peer asks for it. When it returns no access
     * under the key is under way. Granted as well if the entry was invalid already.
     */
    public Verdict invalidate(int key, Accessor who) {
        return changes.invalidate(key, who);
    }

    /** Makes a reserved region valid, under the key given: of its index, with an instance of the caller's choice. */
    public Verdict enable(int key, Accessor who) {
        return changes.enable(key, who);
    }

    /** Shuts all type 2 windows bound by the accessor's queue pair, which is going away. */
    public void releaseQueuePair(Accessor who) {
        changes.releaseQueuePair(who);
    }

    /** Whether there was ever a region whose operations the library counts: if not, there is nothing to begin or to end. */
    public boolean countsOperations() {
        return operationsCounted;
    }

    /**
     * Counts an operation on the region with this key, if it is one of those. For adapters.
     *
     * @param domain of the queue pair; null if it is not known yet
     * @return whether it was counted: then {@link #endOperation} must follow, once
     * @throws QuiescingException if the region begins no operation now
     */
    public boolean beginOperation(@Nullable ProtectionDomain domain, int key) {
        RegionIo currentIo = counted(domain, key);
        return currentIo != null && currentIo.beginOperation();
    }

    /** Counts out an operation that was counted in. Nothing happens if the region is gone since. For adapters. */
    public void endOperation(@Nullable ProtectionDomain domain, int key) {
        RegionIo currentIo = counted(domain, key);
        if (currentIo != null) {
            currentIo.endOperation();
        }
    }

    private @Nullable RegionIo counted(@Nullable ProtectionDomain domain, int key) {
        ProtectionEntry entry = slots.at(Key.index(key));
        return entry == null ? null : entry.counted(domain, key);
    }

    /** Would this access be granted now? Has no effect. */
    public Verdict judge(Accessor who, int key, long address, long length) {
        return judge(who, entry(key), key, address, length);
    }

    /** For one who goes on with the entry that was judged: a second look-up could find another. */
    public Verdict judge(Accessor who, @Nullable ProtectionEntry entry, int key, long address, long length) {
        if (touchesNothing(length)) {
            return Verdict.GRANTED;
        }
        if (entry == null) {
            return changes.absent(key);
        }
        Verdict verdict = entry.judge(who, key, address, length);
        if (verdict != Verdict.GRANTED) {
            return verdict;
        }
        return entry.isBackingAlive() ? Verdict.GRANTED : Verdict.BACKING_CLOSED;
    }

    /** Judges, then copies {@code length} bytes of the source into the memory. */
    public Verdict place(Accessor who, int key, long address, MemorySegment source, long sourceOffset, int length) {
        return place(who, key, address, source, sourceOffset, length, length);
    }

    /**
     * Like {@link #place(Accessor, int, long, MemorySegment, long, int)}, of a message that has {@code remaining} bytes from
     * the address on: pages wholly within them need not be brought in, since nothing of what they hold will be left.
     */
    public Verdict place(
            Accessor who, int key, long address, MemorySegment source, long sourceOffset, int length, long remaining) {
        if (touchesNothing(length)) {
            return Verdict.GRANTED;
        }
        ProtectionEntry entry = slots.at(Key.index(key));
        if (entry == null) {
            return changes.absent(key);
        }
        Verdict verdict = entry.judge(who, key, address, length);
        return verdict == Verdict.GRANTED ? entry.place(address, source, sourceOffset, length, remaining) : verdict;
    }

    /** Judges, then copies {@code length} bytes of the memory into the target. */
    public Verdict gather(Accessor who, int key, long address, MemorySegment target, long targetOffset, int length) {
        if (touchesNothing(length)) {
            return Verdict.GRANTED;
        }
        ProtectionEntry entry = slots.at(Key.index(key));
        if (entry == null) {
            return changes.absent(key);
        }
        Verdict verdict = entry.judge(who, key, address, length);
        return verdict == Verdict.GRANTED ? entry.gather(address, target, targetOffset, length) : verdict;
    }

    /** Judges, then adds to 8 bytes of the memory, in the machine's byte order; an atomic of the processor's. */
    public Verdict fetchAdd(Accessor who, int key, long address, long addend, AtomicResult out) {
        ProtectionEntry entry = slots.at(Key.index(key));
        Verdict verdict = judgeAtomic(who, entry, key, address);
        return entry == null || verdict != Verdict.GRANTED ? verdict : entry.fetchAdd(address, addend, out);
    }

    /** Judges, then replaces 8 bytes of the memory if they are as expected; an atomic of the processor's. */
    public Verdict compareSwap(Accessor who, int key, long address, AtomicOperands operands, AtomicResult out) {
        ProtectionEntry entry = slots.at(Key.index(key));
        Verdict verdict = judgeAtomic(who, entry, key, address);
        return entry == null || verdict != Verdict.GRANTED ? verdict : entry.compareSwap(address, operands, out);
    }

    /** Judges, then replaces 8 bytes of the memory, in the machine's byte order, at once. */
    public Verdict atomicWrite(Accessor who, int key, long address, long value) {
        ProtectionEntry entry = slots.at(Key.index(key));
        Verdict verdict = judgeAtomic(who, entry, key, address);
        return entry == null || verdict != Verdict.GRANTED ? verdict : entry.atomicWrite(address, value);
    }

    /** The entry a key names, whoever asks; null if there is none. */
    public @Nullable ProtectionEntry entry(int key) {
        return slots.at(Key.index(key));
    }

    /** A message of length zero needs no key: whatever it carries is not looked at (C9-88). */
    private static boolean touchesNothing(long length) {
        return length == 0;
    }

    private Verdict judgeAtomic(Accessor who, @Nullable ProtectionEntry entry, int key, long address) {
        if (entry == null) {
            return changes.absent(key);
        }
        Verdict verdict = entry.judge(who, key, address, Long.BYTES);
        if (verdict != Verdict.GRANTED) {
            return verdict;
        }
        return entry.isAtomicallyAligned(address) ? Verdict.GRANTED : Verdict.MISALIGNED;
    }
}
