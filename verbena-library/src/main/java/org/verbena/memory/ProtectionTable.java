package org.verbena.memory;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.time.Seed;

/**
 * All memory an adapter may touch, by key. Accesses ({@link #judge}, {@link #place}, {@link #gather},
 * {@link #fetchAdd}, {@link #compareSwap}, {@link #atomicWrite}) come from any engine thread, take no lock, allocate nothing and throw for no
 * key, address or length; the segment of the other side must have room for the length. Everything else may be called by
 * any thread.
 */
public final class ProtectionTable {
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger domains = new AtomicInteger();
    private final KeySource keys;
    private final EntrySlots slots;
    private final EntryChanges changes;
    private volatile boolean operationsCounted;

    /**
     * An empty table.
     *
     * @param capacityMax how many regions and windows it holds at most, below 2^24; the room is taken as needed
     * @param seed where the order of indexes and the first instances come from
     */
    public ProtectionTable(int capacityMax, Seed seed) {
        this(capacityMax, new IndexPool(capacityMax, seed));
    }

    /** An empty table whose keys come from elsewhere, perhaps from what a peer of another make once used. */
    ProtectionTable(int capacityMax, KeySource keys) {
        this.keys = keys;
        slots = new EntrySlots(capacityMax);
        changes = new EntryChanges(slots);
    }

    /** A new domain whose peers may use keys of regions and of windows. */
    public ProtectionDomain createDomain() {
        return createDomain(RemoteAccess.REGIONS_AND_WINDOWS);
    }

    /** Whether the domain is one of this table's. */
    public boolean owns(ProtectionDomain domain) {
        return domain.isOf(this);
    }

    /** A new domain. */
    public ProtectionDomain createDomain(RemoteAccess remoteAccess) {
        return new ProtectionDomain(this, domains.incrementAndGet(), remoteAccess);
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
    public Region register(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        return add(request(domain, ForeignMemory.backing(foreign), foreign.address(), rights, false, null));
    }

    /**
     * Registers managed memory, which cannot be closed before the region is.
     *
     * @param address of its first byte in accesses under the key, zero if one likes
     */
    public Region register(ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights) {
        return add(request(domain, memory.backing(), address, rights, false, null));
    }

    /**
     * Registers managed memory that may be swapped out: the hypervisor asks for quiesce through the region's
     * {@link Region#currentIo}, and the consumer promises to begin no operation then.
     */
    public Region register(
            ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights, CurrentIo.Mode currentIo) {
        if (currentIo == CurrentIo.Mode.LIBRARY) {
            operationsCounted = true;
        }
        return add(request(domain, memory.backing(), address, rights, false, currentIo));
    }

    /** Like {@link #register(ProtectionDomain, MemorySegment, Set)}, but not valid before {@link #enable}. */
    public Region reserve(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        return add(request(domain, ForeignMemory.backing(foreign), foreign.address(), rights, true, null));
    }

    /** Like {@link #register(ProtectionDomain, ManagedMemory, long, Set)}, but not valid before {@link #enable}. */
    public Region reserve(ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights) {
        return add(request(domain, memory.backing(), address, rights, true, null));
    }

    /** A second region on the same memory and addresses: own key, domain and rights, common translation table. */
    public Region share(Region region, ProtectionDomain domain, Set<Right> rights) {
        if (!region.isOf(this)) {
            throw new IllegalArgumentException(region + " is of another protection table");
        }
        if (region.isClosed()) {
            throw new IllegalStateException(region + " is closed");
        }
        return add(request(domain, region.backing(), region.address(), rights, false, null));
    }

    /** A new window, not bound to anything. */
    public Window createWindow(ProtectionDomain domain, Window.Type type) {
        checkDomain(domain);
        domain.hold();
        try {
            return addWindow(domain, type);
        } catch (IllegalStateException full) {
            domain.release();
            throw full;
        }
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
        CurrentIo currentIo = counted(domain, key);
        return currentIo != null && currentIo.beginOperation();
    }

    /** Counts out an operation that was counted in. Nothing happens if the region is gone since. For adapters. */
    public void endOperation(@Nullable ProtectionDomain domain, int key) {
        CurrentIo currentIo = counted(domain, key);
        if (currentIo != null) {
            currentIo.endOperation();
        }
    }

    private @Nullable CurrentIo counted(@Nullable ProtectionDomain domain, int key) {
        ProtectionEntry entry = slots.at(Key.index(key));
        return entry == null ? null : entry.counted(domain, key);
    }

    /** Would this access be granted now? Has no effect. */
    public Verdict judge(Accessor who, int key, long address, long length) {
        return judge(who, entry(key), key, address, length);
    }

    /** For one who goes on with the entry that was judged: a second look-up could find another. */
    Verdict judge(Accessor who, @Nullable ProtectionEntry entry, int key, long address, long length) {
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

    /** A page fault to be filled in and started. */
    public Fault fault(Fault.Listener listener) {
        return new Fault(this, listener);
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
    @Nullable
    ProtectionEntry entry(int key) {
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

    private Region.Request request(
            ProtectionDomain domain,
            Backing backing,
            long address,
            Set<Right> rights,
            boolean reserved,
            CurrentIo.@Nullable Mode currentIo) {
        checkDomain(domain);
        return new Region.Request(domain, backing, address, Right.regionMask(rights), reserved, currentIo);
    }

    private void checkDomain(ProtectionDomain domain) {
        if (!domain.isOf(this)) {
            throw new IllegalArgumentException(domain + " is of another protection table");
        }
    }

    private Region add(Region.Request request) {
        request.domain().hold();
        try {
            request.backing().hold();
        } catch (IllegalStateException closed) {
            request.domain().release();
            throw closed;
        }
        try {
            Region region = addRegion(request);
            request.backing().onRegistered(region);
            return region;
        } catch (IllegalStateException full) {
            request.backing().release();
            request.domain().release();
            throw full;
        }
    }

    private Region addRegion(Region.Request request) {
        lock.lock();
        try {
            int key = keys.claim();
            StateWord state = request.reserved() ? StateWord.invalid() : StateWord.valid();
            CurrentIo.Mode mode = request.currentIo();
            CurrentIo currentIo = mode == null ? null : new CurrentIo(mode, state);
            Region region = new Region(this, request, Key.index(key), currentIo);
            slots.publish(ProtectionEntry.region(key, region, state));
            return region;
        } finally {
            lock.unlock();
        }
    }

    private Window addWindow(ProtectionDomain domain, Window.Type type) {
        lock.lock();
        try {
            int key = keys.claim();
            slots.publish(ProtectionEntry.window(key, domain, entryType(type)));
            return new Window(this, domain, type, Key.index(key));
        } finally {
            lock.unlock();
        }
    }

    private static EntryType entryType(Window.Type type) {
        return switch (type) {
            case TYPE_1 -> EntryType.WINDOW_TYPE_1;
            case TYPE_2 -> EntryType.WINDOW_TYPE_2;
        };
    }

    ProtectionEntry entryOf(int index, Object owner) {
        ProtectionEntry entry = slots.at(index);
        if (entry == null) {
            throw new IllegalStateException(owner + " is closed");
        }
        return entry;
    }

    /** Called once by the owner of the index; a bind or enable that comes in between is undone. */
    void remove(int index) {
        ProtectionEntry entry;
        do {
            entry = entryOf(index, this);
            entry.retire();
        } while (!slots.replace(index, entry, null));
        giveBack(entry.key);
    }

    /** Makes the region at an index invalid for good, if it is one on this memory. */
    void revoke(int index, Backing backing) {
        ProtectionEntry entry;
        do {
            entry = slots.at(index);
            if (entry == null || !entry.isOn(backing)) {
                return; // closed meanwhile, by its owner
            }
            entry.retire();
        } while (!slots.replace(index, entry, entry.renewed(entry.key, StateWord.invalid())));
    }

    private void giveBack(int key) {
        lock.lock();
        try {
            keys.giveBack(key);
        } finally {
            lock.unlock();
        }
    }
}
