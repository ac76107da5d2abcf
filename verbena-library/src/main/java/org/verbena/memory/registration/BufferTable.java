package org.verbena.memory.registration;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Registration;
import org.verbena.memory.RegistrationCounts;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.RegistrationTable;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.StateWord;
import org.verbena.memory.protection.TableRegion;
import org.verbena.system.NativeAccess;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;
import org.verbena.trace.RegistrationEvent;

/**
 * The registration table of an adapter or a consumer, in this process. Any thread.
 *
 * <p>Rules that make a stale entry useless: an entry serves only buffers whose scope is its own; its bytes are reached through a segment of that scope, which
 * the virtual machine refuses when the scope has ended; and an operation is counted in by the step that checks that the entry is valid. An entry is
 * deregistered by the step that sees that no operation is under way.
 */
public final class BufferTable implements RegistrationTable, BufferKeys {
    /** Entries that a miss sweeps: more than it adds, so that entries of dead scopes cannot pile up. */
    private static final int SWEPT_PER_MISS = 8;
    /** Entries that are swept without giving the lock to others. */
    private static final int SWEPT_PER_STEP = 256;

    private static final int READ = Right.LOCAL_READ.mask();
    private static final int WRITE = Right.LOCAL_WRITE.mask();
    private static final Set<Right> READ_ONLY = Set.of(Right.LOCAL_READ);
    private static final Set<Right> READ_WRITE = Set.of(Right.LOCAL_READ, Right.LOCAL_WRITE);

    private final String owner;
    private final RegistrationOptions options;
    private final ProtectionTable memory;
    private final NanoClock clock;
    private final PageTree tree = new PageTree();
    /** Grows with misses and sweeps: the time of recency. A look-up may see an older value, which does no harm. */
    private int tick;

    private final Consumer<ProtectionDomain> domainClosing = this::onDomainClosing;
    private volatile Runnable onDone = () -> {};

    private final ReentrantLock lock = new ReentrantLock();
    // Under the lock:
    private final EntryList entries = new EntryList();
    private final Pins pins;
    private final Merge merge;
    private final Removal removal;
    private final List<MemorySegment.Scope> closing = new ArrayList<>();
    private long registered;
    private long misses;
    private long merges;
    private long failures;
    private long failedUntilNs;
    private boolean failed;
    private boolean closed;
    private boolean told;

    /**
     * An empty table.
     *
     * @param memory where its regions are registered
     * @param owner named in messages and lists
     * @param clock for ages and limits
     * @param onUnpinned gets one message, when memory cannot be pinned for the first time. Called under a lock: it must not use the table
     */
    public BufferTable(
            ProtectionTable memory,
            String owner,
            RegistrationOptions options,
            NanoClock clock,
            Consumer<String> onUnpinned) {
        this(memory, owner, options, clock, PageLock.ofSystem(), NativeAccess.isGranted(), onUnpinned);
    }

    /** With other page locks; {@code rounds} says whether entries are extended to whole pages. */
    BufferTable(
            ProtectionTable memory,
            String owner,
            RegistrationOptions options,
            NanoClock clock,
            PageLock pageLock,
            boolean rounds,
            Consumer<String> onUnpinned) {
        this.memory = memory;
        this.owner = owner;
        this.options = options;
        this.clock = clock;
        this.merge = new Merge(tree, rounds);
        this.pins = new Pins(pageLock, options, owner, onUnpinned);
        this.removal = new Removal(owner, options, tree, entries, pins);
        memory.onDomainClosing(domainClosing);
    }

    // --- look-up

    @Override
    public int begin(ProtectionDomain domain, MemorySegment buffer, boolean write) {
        if (write && buffer.isReadOnly()) {
            throw Buffers.readOnly(buffer);
        }
        int needed = write ? WRITE : READ;
        MemorySegment.Scope scope = buffer.scope();
        BufferEntry found = tree.find(scope, domain, buffer.address(), buffer.byteSize(), needed);
        if (found != null && scope.isAlive() && found.begin(tick)) {
            return found.key;
        }
        return miss(domain, buffer, needed);
    }

    private int miss(ProtectionDomain domain, MemorySegment buffer, int needed) {
        Buffers.requireUsable(buffer);
        lock.lock();
        try {
            requireOpen(buffer);
            MemorySegment.Scope scope = buffer.scope();
            BufferEntry found = tree.find(scope, domain, buffer.address(), buffer.byteSize(), needed);
            if (found != null) {
                switch (found.word().isValid() ? found.word().beginOperation() : StateWord.Beginning.INVALID) {
                    case BEGUN -> {
                        found.countUse(tick);
                        return found.key;
                    }
                    case QUIESCING -> throw beingClosed(buffer);
                    case TOO_MANY ->
                        throw new IllegalStateException(
                                "a registration has at most 1048575 work requests at once, and has them");
                    case INVALID -> removal.dropStale(found); // an engine has found that its scope has ended
                }
            }
            misses++;
            tick++;
            long nowNs = clock.nowNs();
            int _ = removal.sweep(SWEPT_PER_MISS, nowNs);
            BufferEntry made = register(domain, buffer, nowNs);
            boolean begun = made.begin(tick);
            assert begun : "a new entry is not valid: " + made;
            return made.key;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen(MemorySegment buffer) {
        if (closed) {
            throw new IllegalStateException("the registration table of " + owner + " is closed");
        }
        if (!closing.isEmpty() && closing.contains(buffer.scope())) {
            throw beingClosed(buffer);
        }
    }

    private static IllegalStateException beingClosed(MemorySegment buffer) {
        return new IllegalStateException("the arena of the " + buffer.byteSize() + " bytes at 0x"
                + Long.toHexString(buffer.address()) + " is being closed");
    }

    // --- registration

    private BufferEntry register(ProtectionDomain domain, MemorySegment buffer, long nowNs) {
        Set<Right> rights = buffer.isReadOnly() ? READ_ONLY : READ_WRITE;
        MemorySegment extent = merge.plan(domain, buffer, Right.mask(rights), removal::dropStale);
        List<BufferEntry> absorbed = merge.absorbed();
        TableRegion region = registerRegion(domain, extent, rights, nowNs);
        BufferEntry made = new BufferEntry(buffer.scope(), region, tick, nowNs);
        registered++;
        made.listed = true;
        tree.add(made);
        entries.add(made);
        removal.reserve();
        pin(made, absorbed, nowNs);
        for (int i = 0; i < absorbed.size(); i++) {
            if (absorbed.get(i).place != BufferEntry.GONE) { // a budget may have evicted it meanwhile
                merges++;
                removal.supersede(absorbed.get(i));
            }
        }
        merge.clear();
        RegistrationEvent.record(owner, "registered", made.start, made.length());
        removal.shrink(made, tick);
        return made;
    }

    private TableRegion registerRegion(ProtectionDomain domain, MemorySegment extent, Set<Right> rights, long nowNs) {
        if (failed && nowNs - failedUntilNs < 0) {
            failures++;
            throw new IllegalStateException("no registration for " + owner
                    + ": one has failed a moment ago, because the adapter has all the regions it can have");
        }
        try {
            failed = false;
            return memory.registerCounted(domain, extent, rights);
        } catch (IllegalArgumentException refused) {
            if (extent.scope().isAlive()) {
                throw refused;
            }
            throw new IllegalStateException("the arena of a buffer was closed while it was registered", refused);
        } catch (IllegalStateException full) {
            if (removal.clear() > 0) {
                return memory.registerCounted(domain, extent, rights);
            }
            failed = true;
            failures++;
            failedUntilNs = nowNs + Durations.toNanos(options.failureMemory());
            throw full;
        }
    }

    private void pin(BufferEntry made, List<BufferEntry> absorbed, long nowNs) {
        long already = 0;
        int ranges = 0;
        for (int i = 0; i < absorbed.size(); i++) {
            BufferEntry entry = absorbed.get(i);
            if (entry.pinned) {
                entry.pinned = false;
                already += entry.length();
                ranges++;
            }
        }
        long more = made.length() - already;
        if (pins.isWanted() && made.length() <= options.pinnedBytesMax()) {
            removal.makeRoomForPins(more, made, tick);
        }
        pins.pin(made, already, ranges, nowNs);
    }

    // --- sweep

    @Override
    public int sweep() {
        int left;
        int removed = 0;
        lock.lock();
        try {
            left = entries.size();
            tick++;
        } finally {
            lock.unlock();
        }
        for (; left > 0; left -= SWEPT_PER_STEP) {
            removed += sweepStep(Math.min(left, SWEPT_PER_STEP));
        }
        tellIfDone();
        return removed;
    }

    private int sweepStep(int count) {
        lock.lock();
        try {
            return removal.sweep(count, clock.nowNs());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int clear() {
        lock.lock();
        try {
            return removal.clear();
        } finally {
            lock.unlock();
        }
    }

    // --- scopes and domains that end

    /**
     * Ends the registrations of a scope whose owner closes it. From the first call on no operation begins on its memory.
     *
     * @param onIdle run, perhaps more than once, when a further call may find fewer operations under way. Must not block
     * @return work requests under way that name its memory; 0 if nothing of it is registered any more
     */
    public int closeScope(MemorySegment.Scope scope, Runnable onIdle) {
        lock.lock();
        try {
            if (!closing.contains(scope)) {
                closing.add(scope);
            }
            return removal.close(scope, onIdle);
        } finally {
            lock.unlock();
        }
    }

    /** The scope that {@link #closeScope} was called for is closed, or stays open: operations may begin on its memory again. */
    public void forgetScope(MemorySegment.Scope scope) {
        lock.lock();
        try {
            closing.remove(scope);
            removal.reopen(scope);
        } finally {
            lock.unlock();
        }
    }

    /** A domain can be closed only when no region is left in it: gives back those that nothing uses. */
    private void onDomainClosing(ProtectionDomain domain) {
        lock.lock();
        try {
            removal.clear(domain);
        } finally {
            lock.unlock();
        }
    }

    // --- what can be seen

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public RegistrationOptions options() {
        return options;
    }

    @Override
    public List<Registration> list() {
        lock.lock();
        try {
            long nowNs = clock.nowNs();
            List<Registration> all = new ArrayList<>(entries.size());
            for (int place = 0; place < entries.size(); place++) {
                all.add(entries.at(place).seen(owner, nowNs));
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public RegistrationCounts counts() {
        lock.lock();
        try {
            long uses = removal.retiredUses();
            for (int place = 0; place < entries.size(); place++) {
                uses += entries.at(place).uses();
            }
            return new RegistrationCounts(
                    Math.max(0, uses - registered),
                    misses,
                    merges,
                    removal.evictions(),
                    removal.stale(),
                    failures,
                    entries.size(),
                    entries.bytes(),
                    pins.bytes(),
                    pins.limit(),
                    pins.refusals());
        } finally {
            lock.unlock();
        }
    }

    /** Its entries. */
    int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    /** Nodes of its look-up tree. */
    int nodes() {
        lock.lock();
        try {
            return tree.nodes();
        } finally {
            lock.unlock();
        }
    }

    // --- the end

    /** Sets the action that is run once, when it is closed and no work request names its memory any more. Any thread may run it. */
    public void onDone(Runnable action) {
        onDone = action;
    }

    /** Whether it is closed and no work request names its memory any more. */
    boolean isDone() {
        lock.lock();
        try {
            return closed && entries.size() == 0;
        } finally {
            lock.unlock();
        }
    }

    private void tellIfDone() {
        lock.lock();
        try {
            if (told || !isDone()) {
                return;
            }
            told = true;
        } finally {
            lock.unlock();
        }
        memory.forgetDomainClosing(domainClosing);
        onDone.run();
    }

    /** Whether it takes buffers. */
    public boolean isOpen() {
        lock.lock();
        try {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                removal.revoke();
            }
        } finally {
            lock.unlock();
        }
        tellIfDone();
    }

    /** Closes it and deregisters everything, because the engine has ended: no operation will. */
    public void shut() {
        lock.lock();
        try {
            closed = true;
            removal.removeAll();
        } finally {
            lock.unlock();
        }
        tellIfDone();
    }

    @Override
    public String toString() {
        return "registration table of " + owner;
    }
}
