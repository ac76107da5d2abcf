package org.verbena.memory.protection;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Touches;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.Region;
import org.verbena.memory.TableEntry;
import org.verbena.memory.Window;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.memory.translation.Backing;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.time.Seed;

/**
 * The memory that an adapter may access, by key. Accesses ({@link #judge}, {@link #place}, {@link #gather}, {@link
 * #fetchAdd}, {@link #compareSwap}, {@link #atomicWrite}) come from any engine thread, take no lock, allocate nothing and
 * throw for no key, address or length; the other segment must be long enough. Any thread may call everything else.
 */
public final class ProtectionTable {
    private static final int MESSAGE_BITS = 40;

    private final AtomicInteger domains = new AtomicInteger();
    private final EntrySlots slots;
    private final EntryChanges changes;
    private final Registrar registrar;
    private final List<Consumer<ProtectionDomain>> domainClosing = new CopyOnWriteArrayList<>();
    private final String name;
    private volatile boolean operationsCounted;
    private volatile boolean messagesCounted;
    private volatile boolean paged;

    /**
     * An empty table.
     *
     * @param capacityMax number of regions and windows it holds at most, below 2^24; space is taken as needed
     * @param seed decides the order of indexes and the first instances
     */
    public ProtectionTable(int capacityMax, Seed seed) {
        this(capacityMax, seed, "");
    }

    /** An empty table of the adapter with this name. */
    public ProtectionTable(int capacityMax, Seed seed, String name) {
        this(capacityMax, new KeyPool(capacityMax, seed), name);
    }

    /** An empty table with another source of keys. */
    public ProtectionTable(int capacityMax, KeySource keys) {
        this(capacityMax, keys, "");
    }

    private ProtectionTable(int capacityMax, KeySource keys, String name) {
        this.name = name;
        slots = new EntrySlots(capacityMax);
        changes = new EntryChanges(slots);
        registrar = new Registrar(slots, keys);
    }

    /** The name of the adapter. */
    public String name() {
        return name;
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
        return createDomain(remoteAccess, null);
    }

    /** A new domain for memory of one owner; of every owner if it is null. */
    public ProtectionDomain createDomain(RemoteAccess remoteAccess, @Nullable MemoryDomain owner) {
        return new TableDomain(this, domains.incrementAndGet(), remoteAccess, owner);
    }

    /** The entries in it now, by index. */
    public List<TableEntry> entries() {
        List<TableEntry> all = new ArrayList<>();
        for (int index = 0; index < slots.usedLimit(); index++) {
            ProtectionEntry entry = slots.at(index);
            if (entry != null) {
                all.add(entry.listed());
            }
        }
        return all;
    }

    /**
     * Registers native memory of the consumer. Its addresses under the key are its native addresses.
     *
     * <p>There is no protection against one case: a segment mapped from a file that is cut short while it is registered. The
     * virtual machine reports it as an {@link InternalError} at some later point of the thread that copied.
     *
     * @param foreign native, alive, accessible by every thread. The consumer closes the region before it; if not, accesses
     *     are refused
     * @throws IllegalArgumentException if the segment or the rights are not allowed
     * @throws IllegalStateException if the table is full or the domain is closed
     */
    public TableRegion register(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        return register(domain, ForeignMemory.part(foreign), foreign.address(), rights, false, null);
    }

    /**
     * Registers native memory of the consumer that lies in several places.
     *
     * @param segments follow each other in the region; see {@link org.verbena.memory.translation.Scattering} for their ends
     * @param address address of the first byte in accesses under the key
     */
    public TableRegion register(
            ProtectionDomain domain, List<MemorySegment> segments, long address, Set<Right> rights) {
        return register(domain, ForeignMemory.part(List.copyOf(segments)), address, rights, false, null);
    }

    /**
     * Like {@link #register(ProtectionDomain, MemorySegment, Set)}, with a current I/O in which the caller counts operations in, by {@link
     * StateWord#beginOperation}; the engine counts them out by {@link #endOperation}.
     */
    public TableRegion registerCounted(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        CurrentIoOptions counted = CurrentIoOptions.of(CurrentIo.Mode.LIBRARY);
        return register(domain, ForeignMemory.part(foreign), foreign.address(), rights, false, counted);
    }

    /** Has an action run before a domain of this table is closed: it may give back entries that it holds. Any thread may run it. */
    public void onDomainClosing(Consumer<ProtectionDomain> action) {
        domainClosing.add(action);
    }

    /** The action is not run any more. */
    public void forgetDomainClosing(Consumer<ProtectionDomain> action) {
        domainClosing.remove(action);
    }

    void tellClosing(ProtectionDomain domain) {
        domainClosing.forEach(action -> action.accept(domain));
    }

    /**
     * Registers managed memory. It cannot be closed before the region.
     *
     * @param address address of its first byte in accesses under the key
     */
    public TableRegion register(ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights) {
        return register(domain, BackingPart.whole(memory), address, rights, false, null);
    }

    /**
     * Registers part of managed memory.
     *
     * @param address address of the part's first byte in accesses under the key
     * @throws IndexOutOfBoundsException if the part is empty or not within the memory
     */
    public TableRegion register(
            ProtectionDomain domain, ManagedMemory memory, long offset, long length, long address, Set<Right> rights) {
        return register(domain, BackingPart.of(memory, offset, length), address, rights, false, null);
    }

    /**
     * Registers managed memory that may be swapped out. The hypervisor asks for quiesce through {@link Region#currentIo}; the
     * consumer then begins no operation.
     *
     * @throws IllegalArgumentException also if the memory cannot be swapped out, or the word cannot be used
     */
    public TableRegion register(
            ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights, CurrentIoOptions options) {
        return registerSwappable(domain, BackingPart.whole(memory), address, rights, options);
    }

    /** The same for part of managed memory. */
    public TableRegion register(
            ProtectionDomain domain,
            ManagedMemory memory,
            long offset,
            long length,
            long address,
            Set<Right> rights,
            CurrentIoOptions options) {
        return registerSwappable(domain, BackingPart.of(memory, offset, length), address, rights, options);
    }

    private TableRegion registerSwappable(
            ProtectionDomain domain, BackingPart part, long address, Set<Right> rights, CurrentIoOptions options) {
        if (!part.backing().isSwappable()) {
            throw new IllegalArgumentException(
                    (part.backing().managed() == null ? "native memory of the consumer" : "machine memory")
                            + " found, memory of a hypervisor expected: a region with a current I/O may be swapped out,"
                            + " and this memory stays in its place");
        }
        if (options.mode() != CurrentIo.Mode.CONSUMER) {
            operationsCounted = true;
        }
        if (options.mode() == CurrentIo.Mode.LIBRARY_AND_PEERS) {
            messagesCounted = true;
        }
        return register(domain, part, address, rights, false, options);
    }

    /** Like {@link #register(ProtectionDomain, MemorySegment, Set)}, but not valid before {@link #enable}. */
    public TableRegion reserve(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        return register(domain, ForeignMemory.part(foreign), foreign.address(), rights, true, null);
    }

    /** Like {@link #register(ProtectionDomain, ManagedMemory, long, Set)}, but not valid before {@link #enable}. */
    public TableRegion reserve(ProtectionDomain domain, ManagedMemory memory, long address, Set<Right> rights) {
        return register(domain, BackingPart.whole(memory), address, rights, true, null);
    }

    /**
     * A key with room for pages of 4 KiB, and no memory before {@link #register(int, Accessor, MemoryRange, Touches)}.
     *
     * @throws IllegalArgumentException if there is room for no page
     */
    public TableRegion reserve(ProtectionDomain domain, int pages) {
        if (pages < 1) {
            throw new IllegalArgumentException("room for at least 1 page expected; found " + pages);
        }
        return registrar.reserve(own(domain), pages);
    }

    /**
     * Registers a second region on the same memory and addresses, with its own key, domain and rights, and a common
     * translation table.
     */
    public TableRegion share(Region region, ProtectionDomain domain, Set<Right> rights) {
        return register(domain, shareable(region).part(), region.address(), rights, false, null);
    }

    /**
     * The same, with a current I/O of its own. The memory leaves machine memory when all regions on it are swapped out.
     *
     * @throws IllegalArgumentException also if the memory cannot be swapped out, or the word cannot be used
     */
    public TableRegion share(Region region, ProtectionDomain domain, Set<Right> rights, CurrentIoOptions currentIo) {
        return registerSwappable(domain, shareable(region).part(), region.address(), rights, currentIo);
    }

    private TableRegion shareable(Region region) {
        TableRegion shared = TableRegion.of(region);
        if (!shared.isOf(registrar)) {
            throw new IllegalArgumentException(region + " is of another protection table");
        }
        if (shared.room() > 0) {
            throw new IllegalArgumentException(region + " cannot be shared: its memory comes and goes");
        }
        if (shared.isClosed()) {
            throw new IllegalStateException(region + " is closed");
        }
        return shared;
    }

    private TableRegion register(
            ProtectionDomain domain,
            BackingPart part,
            long address,
            Set<Right> rights,
            boolean reserved,
            @Nullable CurrentIoOptions currentIo) {
        TableDomain own = own(domain);
        own.requireAdmitted(part.backing());
        int mask = Rights.ofRegion(rights);
        notePaging(part.backing());
        return registrar.add(new Registrar.Request(own, part, address, mask, reserved, currentIo));
    }

    private void notePaging(Backing backing) {
        FrameMemory managed = backing.managed();
        if (!paged && managed != null && managed.mayFault()) {
            paged = true;
        }
    }

    /** A new window that is not bound. */
    public Window createWindow(ProtectionDomain domain, Window.Type type) {
        return registrar.addWindow(own(domain), type);
    }

    /**
     * Binds a window for a send queue. Nothing changes unless granted.
     *
     * @param accessor the queue pair, with {@link Right#BIND_WINDOW}
     * @param windowKey the present key of the window
     */
    public Verdict bind(Accessor accessor, int windowKey, Binding binding) {
        return changes.bind(accessor, windowKey, binding);
    }

    /**
     * Invalidates a type 2 window or a reserved region, for a send queue or a peer. When it returns no access under the key
     * is under way. Granted as well if the entry was invalid already.
     */
    public Verdict invalidate(int key, Accessor accessor) {
        return changes.invalidate(key, accessor);
    }

    /** Makes a reserved region valid. The key has the region's index and an instance that the caller chooses. */
    public Verdict enable(int key, Accessor accessor) {
        return enable(key, accessor, Touches.MANY);
    }

    /** Makes a reserved region valid for a number of messages. */
    public Verdict enable(int key, Accessor accessor, Touches touches) {
        return changes.enable(key, accessor, touches);
    }

    /**
     * Puts memory behind a key with room, and makes it valid for a number of messages. The caller has {@linkplain MemoryRange#take taken} the memory; if
     * granted, the table gives it back when the key becomes invalid, or is closed. If not, the memory stays the caller's.
     *
     * @param key index of the region, and an instance that the caller chooses
     */
    public Verdict register(int key, Accessor accessor, MemoryRange range, Touches touches) {
        notePaging(range.backing());
        return changes.register(key, accessor, range, touches);
    }

    /**
     * Called before the last part of a message is placed in an entry. An entry that is valid for one message remembers which it was. If another
     * message has touched it before, it becomes invalid. Nothing is touched by an access that {@link #judge} would refuse.
     *
     * @param message number of the message or of its last part, 0 … 2<sup>40</sup> − 1, of the queue pair of the accessor: the same part may come
     *     again
     * @return GRANTED also if there is nothing to remember; then the access is judged when it is done
     */
    public Verdict touch(Accessor accessor, int key, long address, long length, long message) {
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        if (entry == null || !entry.isForOneMessage() || touchesNothing(length)) {
            return Verdict.GRANTED;
        }
        Verdict verdict = entry.judge(accessor, key, address, length);
        return verdict.granted() ? changes.touch(entry, toucher(accessor, message)) : verdict;
    }

    /** The message is in place as a whole: an entry that it has touched becomes invalid. When it returns no access under the key is under way. */
    public void endTouch(Accessor accessor, int key, long message) {
        changes.endTouch(key, toucher(accessor, message));
    }

    private static long toucher(Accessor accessor, long message) {
        return (long) accessor.queuePair() << MESSAGE_BITS | message;
    }

    /** Unbinds all type 2 windows that the accessor's queue pair has bound, because it ends. */
    public void releaseQueuePair(Accessor accessor) {
        changes.releaseQueuePair(accessor);
    }

    /** Whether memory whose pages come and go, and are not wired, was ever registered. */
    public boolean hasPaged() {
        return paged;
    }

    /**
     * Whether a region whose operations the library counts was ever registered. If not, {@link #beginOperation} and {@link
     * #endOperation} need not be called.
     */
    public boolean countsOperations() {
        return operationsCounted;
    }

    /**
     * Counts an operation in, if the library counts the operations of the region with this key.
     *
     * @param domain domain of the queue pair; null if it is not known yet
     * @return whether it was counted: then {@link #endOperation} must follow, once
     * @throws QuiescingException if the region is quiescing
     */
    public boolean beginOperation(@Nullable ProtectionDomain domain, int key) {
        RegionIo currentIo = counted(domain, key);
        return currentIo != null && currentIo.beginOperation();
    }

    /** Counts an operation out. Does nothing if the region is closed by now. */
    public void endOperation(@Nullable ProtectionDomain domain, int key) {
        RegionIo currentIo = counted(domain, key);
        if (currentIo != null) {
            currentIo.endOperation();
        }
    }

    private @Nullable RegionIo counted(@Nullable ProtectionDomain domain, int key) {
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        return entry == null ? null : entry.counted(domain, key);
    }

    /** Whether a region on which messages of peers are counted was ever registered. If not, {@link #beginMessage} need not be called. */
    public boolean countsMessages() {
        return messagesCounted;
    }

    /**
     * Counts a message of a peer in, which was judged before, if the library counts those on the region of this key.
     *
     * @return the current I/O that counts it out, by {@link RegionIo#endMessage}; null if it is not counted
     */
    public @Nullable RegionIo beginMessage(int key) {
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        return entry == null ? null : entry.beginMessage(key);
    }

    /** Judges an access. Has no effect. */
    public Verdict judge(Accessor accessor, int key, long address, long length) {
        return judge(accessor, entry(key), key, address, length);
    }

    /**
     * Judges an access to an entry that {@link #entry} has found. For callers that go on with this entry: a second look-up
     * could find another.
     */
    public Verdict judge(Accessor accessor, @Nullable ProtectionEntry entry, int key, long address, long length) {
        if (touchesNothing(length)) {
            return Verdict.GRANTED;
        }
        if (entry == null) {
            return changes.absent(key);
        }
        Verdict verdict = entry.judge(accessor, key, address, length);
        if (verdict != Verdict.GRANTED) {
            return verdict;
        }
        return entry.isBackingAlive() ? Verdict.GRANTED : Verdict.BACKING_CLOSED;
    }

    /** Judges, then copies {@code length} bytes of the source into the memory. */
    public Verdict place(
            Accessor accessor, int key, long address, MemorySegment source, long sourceOffset, int length) {
        return place(accessor, key, address, source, sourceOffset, length, length);
    }

    /**
     * Like {@link #place(Accessor, int, long, MemorySegment, long, int)}, for a message that has {@code remaining} bytes from
     * the address on. Pages wholly within them need not be brought in, because the message overwrites all of their content.
     */
    public Verdict place(
            Accessor accessor,
            int key,
            long address,
            MemorySegment source,
            long sourceOffset,
            int length,
            long remaining) {
        if (touchesNothing(length)) {
            return Verdict.GRANTED;
        }
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        if (entry == null) {
            return changes.absent(key);
        }
        Verdict verdict = entry.judge(accessor, key, address, length);
        return verdict == Verdict.GRANTED ? entry.place(address, source, sourceOffset, length, remaining) : verdict;
    }

    /** Judges, then copies {@code length} bytes of the memory into the target. */
    public Verdict gather(
            Accessor accessor, int key, long address, MemorySegment target, long targetOffset, int length) {
        if (touchesNothing(length)) {
            return Verdict.GRANTED;
        }
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        if (entry == null) {
            return changes.absent(key);
        }
        Verdict verdict = entry.judge(accessor, key, address, length);
        return verdict == Verdict.GRANTED ? entry.gather(address, target, targetOffset, length) : verdict;
    }

    /** Judges, then adds to 8 bytes of the memory in the machine's byte order, by an atomic instruction. */
    public Verdict fetchAdd(Accessor accessor, int key, long address, long addend, AtomicResult out) {
        return fetchAdd(accessor, key, address, addend, 0, out);
    }

    /**
     * The same, as to fields apart.
     *
     * @param ends the highest bit of each field: no carry leaves it; 0 adds to all 64 bits as one
     */
    public Verdict fetchAdd(Accessor accessor, int key, long address, long addend, long ends, AtomicResult out) {
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        Verdict verdict = judgeAtomic(accessor, entry, key, address);
        return entry == null || verdict != Verdict.GRANTED ? verdict : entry.fetchAdd(address, addend, ends, out);
    }

    /** Judges, then replaces 8 bytes of the memory if they are as expected, by an atomic instruction. */
    public Verdict compareSwap(Accessor accessor, int key, long address, AtomicOperands operands, AtomicResult out) {
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        Verdict verdict = judgeAtomic(accessor, entry, key, address);
        return entry == null || verdict != Verdict.GRANTED ? verdict : entry.compareSwap(address, operands, out);
    }

    /** Judges, then replaces 8 bytes of the memory in the machine's byte order, by one store. */
    public Verdict atomicWrite(Accessor accessor, int key, long address, long value) {
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        Verdict verdict = judgeAtomic(accessor, entry, key, address);
        return entry == null || verdict != Verdict.GRANTED ? verdict : entry.atomicWrite(address, value);
    }

    /** The entry at the index of a key; null if there is none. */
    public @Nullable ProtectionEntry entry(int key) {
        return slots.at(MemoryKey.index(key));
    }

    /** Whether an access has length zero: it needs no key, and its key is not checked (C9-88). */
    private static boolean touchesNothing(long length) {
        return length == 0;
    }

    private Verdict judgeAtomic(Accessor accessor, @Nullable ProtectionEntry entry, int key, long address) {
        if (entry == null) {
            return changes.absent(key);
        }
        Verdict verdict = entry.judge(accessor, key, address, Long.BYTES);
        if (verdict != Verdict.GRANTED) {
            return verdict;
        }
        return entry.isAtomicallyAligned(address) ? Verdict.GRANTED : Verdict.MISALIGNED;
    }
}
