package org.verbena.memory.protection;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Touches;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.EntryType;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.TableEntry;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.memory.translation.Backing;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.memory.translation.PagedAccess;

/**
 * One entry of the protection table. All fields but the state word are final: any other change invalidates the entry and puts
 * a new one in its place.
 */
public final class ProtectionEntry {
    /** All queue pairs of the domain. */
    private static final int ANY_QUEUE_PAIR = -1;
    /** In place of a message: none has touched the entry. */
    private static final long UNTOUCHED = -1;

    final EntryType type;
    final int key;
    final TableDomain domain;
    final int queuePair;
    public final long start;
    public final long length;
    final int rights;
    final StateWord state;
    /** Id of the domain whose memory it is. It selects the stages of the translation, which belong to the backing. */
    final int memoryDomain;

    private final Backing backing;
    private final @Nullable PagedAccess paged;
    private final long backingOffset;
    private final @Nullable ProtectionEntry region;
    private final @Nullable RegionIo currentIo;
    /** Pages of memory that a send queue may put behind the key; 0 if the memory of the entry is fixed. */
    private final int room;
    /** The message that has touched an entry which is valid for one; null if the entry is valid for many. */
    private final @Nullable AtomicLong touch;

    private ProtectionEntry(
            EntryType type, int key, TableDomain domain, int queuePair, Extent extent, int room, StateWord state) {
        this.room = room;
        this.type = type;
        this.key = key;
        this.domain = domain;
        this.queuePair = queuePair;
        this.start = extent.start;
        this.length = extent.length;
        this.rights = extent.rights;
        this.backing = extent.backing;
        this.paged = extent.backing.paged();
        this.backingOffset = extent.backingOffset;
        this.region = extent.region;
        this.currentIo = extent.currentIo;
        this.touch = extent.touches == Touches.ONE ? new AtomicLong(UNTOUCHED) : null;
        this.state = state;
        this.memoryDomain = extent.backing.memoryDomain();
    }

    /** A range of memory and the rights on it. */
    private record Extent(
            long start,
            long length,
            int rights,
            Backing backing,
            long backingOffset,
            @Nullable ProtectionEntry region,
            @Nullable RegionIo currentIo,
            Touches touches) {
        static final Extent NONE = new Extent(0, 0, 0, Backing.NONE, 0, null, null, Touches.MANY);
    }

    static ProtectionEntry region(int key, TableRegion region, StateWord state) {
        Extent extent = new Extent(
                region.address(),
                region.length(),
                Right.mask(region.rights()),
                region.backing(),
                region.backingOffset(),
                null,
                region.currentIoOrNull(),
                Touches.MANY);
        EntryType type = region.isReserved() ? EntryType.RESERVED_REGION : EntryType.REGION;
        return new ProtectionEntry(type, key, region.domain(), ANY_QUEUE_PAIR, extent, 0, state);
    }

    /** A key with room for pages, and no memory yet. */
    static ProtectionEntry reserved(int key, TableDomain domain, int room) {
        EntryType type = EntryType.RESERVED_REGION;
        return new ProtectionEntry(type, key, domain, ANY_QUEUE_PAIR, Extent.NONE, room, StateWord.invalid());
    }

    /** This key with room, valid on memory that a send queue has brought. */
    ProtectionEntry registered(int newKey, MemoryRange range, Touches touches) {
        Extent extent = new Extent(
                range.address(), range.length(), range.rights(), range.backing(), range.offset(), null, null, touches);
        return new ProtectionEntry(type, newKey, domain, ANY_QUEUE_PAIR, extent, room, StateWord.valid());
    }

    static ProtectionEntry window(int key, TableDomain domain, EntryType type) {
        return new ProtectionEntry(type, key, domain, ANY_QUEUE_PAIR, Extent.NONE, 0, StateWord.invalid());
    }

    /** This window, bound to part of a region under a new key. */
    ProtectionEntry bound(Binding binding, ProtectionEntry region, int queuePair) {
        long offset = region.offsetOf(binding.address());
        Extent extent = new Extent(
                binding.address(),
                binding.length(),
                binding.rights(),
                region.backing,
                offset,
                region,
                null,
                binding.touches());
        int only = type == EntryType.WINDOW_TYPE_2 ? queuePair : ANY_QUEUE_PAIR;
        return new ProtectionEntry(type, binding.newKey(), domain, only, extent, 0, StateWord.valid());
    }

    /** This window, not bound. */
    ProtectionEntry unbound(int newKey) {
        return window(newKey, domain, type);
    }

    /** This region, valid or not, under a new key. */
    ProtectionEntry renewed(int newKey, StateWord newState, Touches touches) {
        Extent extent = new Extent(start, length, rights, backing, backingOffset, region, currentIo, touches);
        return new ProtectionEntry(type, newKey, domain, queuePair, extent, room, newState);
    }

    /** This region after an invalidation: a key with room has no memory then. */
    ProtectionEntry invalidated() {
        return room > 0 ? reserved(key, domain, room) : renewed(key, StateWord.invalid(), Touches.MANY);
    }

    /** Called once, when it has been replaced in the table, or removed: memory that a send queue has brought is given back. */
    void onReplaced() {
        if (room > 0) {
            backing.giveBack();
        }
    }

    /** Pages of memory that a send queue may put behind the key; 0 if the memory of the entry is fixed. */
    int room() {
        return room;
    }

    Backing backing() {
        return backing;
    }

    /** The key under which it is accessed. */
    public int key() {
        return key;
    }

    /** Id of the domain whose memory it is. */
    public int memoryDomain() {
        return memoryDomain;
    }

    /** The current I/O in which the library counts operations under this key and domain; null if there is none. */
    @Nullable
    RegionIo counted(@Nullable ProtectionDomain domain, int key) {
        boolean here = key == this.key && (domain == null || domain == this.domain);
        return here && currentIo != null && currentIo.mode() != CurrentIo.Mode.CONSUMER ? currentIo : null;
    }

    /** Counts a message of a peer under this key in; returns the current I/O that counts it out, null if it is not counted. */
    @Nullable
    RegionIo beginMessage(int key) {
        RegionIo counting = region == null ? currentIo : region.currentIo;
        return key == this.key && counting != null && counting.beginMessage() ? counting : null;
    }

    /** Judges an access, in the order of {@link Verdict}. The copy finds out whether the backing is alive. */
    Verdict judge(Accessor accessor, int key, long address, long length) {
        if (key != this.key) {
            return Verdict.WRONG_INSTANCE;
        }
        Verdict validity = state.verdict();
        if (validity != Verdict.GRANTED) {
            return validity;
        }
        Verdict standing = judgeStanding(accessor);
        if (standing != Verdict.GRANTED) {
            return standing;
        }
        Verdict bounds = judgeBounds(address, length);
        if (bounds != Verdict.GRANTED) {
            return bounds;
        }
        if ((rights & accessor.rightMask) == 0) {
            return Verdict.NO_RIGHT;
        }
        return region == null || region.state.isValid() ? Verdict.GRANTED : Verdict.REGION_INVALID;
    }

    /** Checks type, domain and queue pair. */
    private Verdict judgeStanding(Accessor accessor) {
        if (accessor.remote) {
            if (accessor.domain.remoteAccess() == RemoteAccess.WINDOWS_ONLY && !type.isWindow()) {
                return Verdict.WINDOWS_ONLY;
            }
        } else if (type.isWindow()) {
            return Verdict.WRONG_TYPE;
        }
        if (accessor.domain != domain) {
            return accessor.domain.admits(backing) ? Verdict.WRONG_DOMAIN : Verdict.WRONG_MEMORY_DOMAIN;
        }
        return queuePair == ANY_QUEUE_PAIR || queuePair == accessor.queuePair
                ? Verdict.GRANTED
                : Verdict.WRONG_QUEUE_PAIR;
    }

    /**
     * Checks the bounds. All numbers are unsigned, because addresses and lengths come from the wire. The length is not zero.
     */
    private Verdict judgeBounds(long address, long length) {
        if (Long.compareUnsigned(address + (length - 1), address) < 0) {
            return Verdict.WRAPS_AROUND;
        }
        long offset = address - start;
        boolean inside = Long.compareUnsigned(offset, this.length) < 0
                && Long.compareUnsigned(length, this.length - offset) <= 0;
        return inside ? Verdict.GRANTED : Verdict.OUT_OF_BOUNDS;
    }

    boolean isOn(Backing other) {
        return backing == other;
    }

    boolean isBackingAlive() {
        return backing.isAlive();
    }

    boolean isAtomicallyAligned(long address) {
        return (address & (Long.BYTES - 1)) == 0 && backing.isAtomicallyAligned(offsetOf(address));
    }

    /**
     * Copies bytes into the memory. The access was judged before; it is refused if the entry has become invalid.
     *
     * @param remaining bytes that the message has from the address on; bytes beyond the entry do not count
     */
    Verdict place(long address, MemorySegment source, long sourceOffset, int length, long remaining) {
        Verdict entered = enter();
        if (entered != Verdict.GRANTED) {
            return entered;
        }
        try {
            long covered = Math.min(remaining, this.length - (address - start));
            return backing.copyIn(offsetOf(address), source, sourceOffset, length, covered);
        } catch (IllegalStateException closed) {
            return onClosed(closed);
        } finally {
            leave();
        }
    }

    /** Copies bytes out of the memory. The access was judged before; it is refused if the entry has become invalid. */
    Verdict gather(long address, MemorySegment target, long targetOffset, int length) {
        Verdict entered = enter();
        if (entered != Verdict.GRANTED) {
            return entered;
        }
        try {
            return backing.copyOut(offsetOf(address), target, targetOffset, length);
        } catch (IllegalStateException closed) {
            return onClosed(closed);
        } finally {
            leave();
        }
    }

    Verdict fetchAdd(long address, long addend, long ends, AtomicResult out) {
        Verdict entered = enter();
        if (entered != Verdict.GRANTED) {
            return entered;
        }
        try {
            return backing.fetchAdd(offsetOf(address), addend, ends, out);
        } catch (IllegalStateException closed) {
            return onClosed(closed);
        } finally {
            leave();
        }
    }

    Verdict compareSwap(long address, AtomicOperands operands, AtomicResult out) {
        Verdict entered = enter();
        if (entered != Verdict.GRANTED) {
            return entered;
        }
        try {
            return backing.compareSwap(offsetOf(address), operands, out);
        } catch (IllegalStateException closed) {
            return onClosed(closed);
        } finally {
            leave();
        }
    }

    Verdict atomicWrite(long address, long value) {
        Verdict entered = enter();
        if (entered != Verdict.GRANTED) {
            return entered;
        }
        try {
            return backing.atomicWrite(offsetOf(address), value);
        } catch (IllegalStateException closed) {
            return onClosed(closed);
        } finally {
            leave();
        }
    }

    /** Whether it is valid for one message only. */
    boolean isForOneMessage() {
        return touch != null;
    }

    /** The last part of a message is about to be placed; false if another message was before it. The same message may come again. */
    boolean touch(long message) {
        return touch == null || touch.compareAndSet(UNTOUCHED, message) || touch.get() == message;
    }

    /** Whether it is valid for one message, and this one has touched it. */
    boolean isTouchedBy(long message) {
        return touch != null && touch.get() == message;
    }

    /** Makes the entry invalid. When it returns no copy is inside and none will enter. */
    void retire() {
        state.invalidate();
        state.awaitNobodyInside();
    }

    private Verdict enter() {
        if (!state.enter()) {
            return whyNot();
        }
        if (region != null && !region.state.enter()) {
            state.leave();
            return Verdict.REGION_INVALID;
        }
        RegionIo touched = region == null ? currentIo : region.currentIo;
        if (touched != null) {
            touched.touch();
        }
        return Verdict.GRANTED;
    }

    /**
     * The reason why a copy could not enter. If the entry is valid again by now, it was quiesced; a region without current
     * I/O never is.
     */
    private Verdict whyNot() {
        Verdict now = state.verdict();
        return now != Verdict.GRANTED ? now : currentIo == null ? Verdict.INVALID : Verdict.QUIESCED;
    }

    private void leave() {
        if (region != null) {
            region.state.leave();
        }
        state.leave();
        if (paged != null) {
            paged.tidy(); // not before: a thread that invalidates an entry waits for the copies inside
        }
    }

    /** Makes the entry invalid, because the owner has closed the memory before the region. */
    private Verdict onClosed(IllegalStateException closed) {
        if (backing.isAlive()) {
            throw closed;
        }
        state.invalidate();
        if (region != null) {
            region.state.invalidate();
        }
        return Verdict.BACKING_CLOSED;
    }

    /** Access to its pages if they come and go; null if they stay. */
    public @Nullable PagedAccess paged() {
        return paged;
    }

    /** The offset of an address in the memory. */
    public long offsetOf(long address) {
        return backingOffset + (address - start);
    }

    /** The entry as it is now, for people. */
    TableEntry listed() {
        boolean granted = state.isValid() && (region == null || region.state.isValid());
        int second = TableEntry.secondKey(key, memoryDomain);
        return new TableEntry(
                key, type, domain.id(), memoryDomain, second, start, length, Right.ofMask(rights), granted);
    }

    @Override
    public String toString() {
        return type + " " + MemoryKey.toString(key) + ", " + length + " bytes at 0x" + Long.toHexString(start) + ", "
                + Right.ofMask(rights) + ", " + domain + ", " + state
                + (memoryDomain == FrameMemory.HOST ? "" : ", memory of guest domain " + memoryDomain);
    }
}
