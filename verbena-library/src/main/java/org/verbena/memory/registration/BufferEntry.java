package org.verbena.memory.registration;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Registration;
import org.verbena.memory.protection.StateWord;
import org.verbena.memory.protection.TableRegion;

/** One registration of a {@link BufferTable}: a range of one scope, registered in one domain. */
@SuppressWarnings("ReferenceEquality") // scopes and domains are compared by identity on the way of each post
final class BufferEntry {
    /** The place of an entry that is deregistered. */
    static final int GONE = -1;

    // Read by look-ups of any thread:
    final long start;
    final long end;
    final int key;
    private final int rights;
    private final MemorySegment.Scope scope;
    private final ProtectionDomain domain;
    private final StateWord word;
    /** Look-ups so far. Two at the same time may count as one. */
    private int uses;
    /** The table's moment of the last look-up. */
    private int lastTick;

    // Under the table's lock:
    final TableRegion region;
    final long createdNs;
    Registration.Status status = Registration.Status.READY;
    boolean pinned;
    boolean collected;
    /** Whether look-ups can find it. */
    boolean listed;
    /** Place in the table's list; {@link #GONE} when it is deregistered. */
    int place;

    private int seenTick;
    private long lastUseNs;
    private @Nullable Thread thread = Thread.currentThread();
    private String owner = nameOf(Thread.currentThread());

    /**
     * A registration that nothing uses yet.
     *
     * @param region registered with a current I/O
     */
    BufferEntry(MemorySegment.Scope scope, TableRegion region, int tick, long nowNs) {
        this.scope = scope;
        this.region = region;
        this.domain = region.domain();
        this.start = region.address();
        this.end = region.address() + region.length();
        this.key = region.key();
        this.rights = Right.mask(region.rights());
        this.word = region.currentIo().word();
        this.lastTick = tick;
        this.seenTick = tick;
        this.createdNs = nowNs;
        this.lastUseNs = nowNs;
    }

    private static String nameOf(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "thread " + thread.threadId() : name;
    }

    // --- look-up, any thread

    /** Whether it is of this scope and domain, covers the range, and has all the rights. Does not ask whether it is valid. */
    boolean serves(MemorySegment.Scope other, ProtectionDomain wanted, long address, long length, int needed) {
        return address >= start
                && length <= end - address
                && (rights & needed) == needed
                && wanted == domain
                && isOf(other);
    }

    /** Whether it is of this scope. Two segments of one direct buffer have scopes that are equal and not the same. */
    boolean isOf(MemorySegment.Scope other) {
        return scope == other || scope.equals(other);
    }

    /** Counts an operation in; false if the entry is not valid, or is being closed. */
    boolean begin(int tick) {
        if (word.beginOperation() != StateWord.Beginning.BEGUN) {
            return false;
        }
        countUse(tick);
        return true;
    }

    /** Notes a use that was counted in. */
    void countUse(int tick) {
        uses++;
        if (lastTick != tick) {
            lastTick = tick;
        }
    }

    /** Whether the scope of its memory has not ended. */
    boolean isAlive() {
        return scope.isAlive();
    }

    // --- under the table's lock

    long length() {
        return end - start;
    }

    int rights() {
        return rights;
    }

    /** Whether it is registered in this domain. */
    boolean isIn(ProtectionDomain other) {
        return domain == other;
    }

    StateWord word() {
        return word;
    }

    long uses() {
        return Integer.toUnsignedLong(uses);
    }

    /** Look-ups of the table since this entry's last one, about. */
    int staleness(int tick) {
        return tick - lastTick;
    }

    /** Notes the time if the entry was used since the last call. Returns the time since its last use. */
    long idleNs(long nowNs) {
        if (seenTick != lastTick || word.operations() > 0) {
            seenTick = lastTick;
            lastUseNs = nowNs;
        }
        return nowNs - lastUseNs;
    }

    /** Whether the thread that caused the registration has ended. */
    boolean isOwnerGone() {
        if (thread != null && !thread.isAlive()) {
            thread = null;
            owner += " (ended)";
        }
        return thread == null;
    }

    /** What a consumer sees of it. */
    Registration seen(String tableOwner, long nowNs) {
        boolean _ = isOwnerGone();
        return new Registration(
                start,
                length(),
                region.rights(),
                domain,
                isAlive() ? status : Registration.Status.STALE,
                pinned,
                word.operations(),
                uses(),
                Duration.ofNanos(nowNs - createdNs),
                Duration.ofNanos(idleNs(nowNs)),
                tableOwner + ", " + owner);
    }

    @Override
    public String toString() {
        return length() + " bytes at 0x" + Long.toHexString(start);
    }
}
