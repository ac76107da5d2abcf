package org.verbena.memory.registration;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.verbena.memory.RegistrationOptions;
import org.verbena.time.Durations;
import org.verbena.trace.PinRefusedEvent;

/**
 * The pinned pages of a table: budget, refusals of the system, and the one message about them. Under the table's lock.
 *
 * <p>Locks of the system do not add up: one unlock undoes several locks of a page. So {@link #unpin} locks again what other entries share.
 */
final class Pins {
    /**
     * Ranges that are pinned at once; further entries are not pinned. Each range may split a mapping of the process in three, of which Linux allows 65,530.
     */
    static final int RANGES_MAX = 8192;

    /** Bytes that all tables of the process have pinned. */
    private static final AtomicLong PROCESS = new AtomicLong();

    private final PageLock system;
    private final RegistrationOptions options;
    private final String owner;
    private final Consumer<String> onRefused;
    private final long systemLimit;
    private final long failureNs;
    private long bytes;
    private int ranges;
    private long refusals;
    private long refusedUntilNs;
    private long refusedLength = Long.MAX_VALUE;
    private boolean told;

    Pins(PageLock system, RegistrationOptions options, String owner, Consumer<String> onRefused) {
        this.system = system;
        this.options = options;
        this.owner = owner;
        this.onRefused = onRefused;
        this.systemLimit = options.pinned() ? system.limit() : 0;
        this.failureNs = Durations.toNanos(options.failureMemory());
    }

    long bytes() {
        return bytes;
    }

    /** Bytes that may be pinned. */
    long limit() {
        return Math.min(systemLimit, options.pinnedBytesMax());
    }

    long refusals() {
        return refusals;
    }

    boolean isWanted() {
        return options.pinned();
    }

    /** Whether these bytes go beyond the budget, which is that of the options. */
    boolean isOverBudget(long more) {
        return bytes + more > options.pinnedBytesMax() || ranges >= RANGES_MAX;
    }

    /**
     * Pins the pages of an entry, if budget and system allow it.
     *
     * @param already bytes of it that entries hold which it replaces; they count as its own from now on
     * @param alreadyRanges number of these entries
     */
    void pin(BufferEntry entry, long already, int alreadyRanges, long nowNs) {
        if (!options.pinned()) {
            return;
        }
        bytes -= already;
        ranges -= alreadyRanges;
        PROCESS.addAndGet(-already);
        long length = entry.length();
        if (isOverBudget(length)) {
            refuse(entry, "the budget of the table is used up");
        } else if (length >= refusedLength && nowNs - refusedUntilNs < 0) {
            refusals++;
        } else {
            lock(entry, nowNs);
        }
        if (!entry.pinned && already > 0) {
            system.unlock(entry.start, length);
        }
    }

    private void lock(BufferEntry entry, long nowNs) {
        int error = system.lock(entry.start, entry.length());
        if (error != 0) {
            refusedLength = entry.length();
            refusedUntilNs = nowNs + failureNs;
            refuse(entry, "the operating system refuses (error " + error + ")");
            return;
        }
        entry.pinned = true;
        bytes += entry.length();
        ranges++;
        PROCESS.addAndGet(entry.length());
    }

    private void refuse(BufferEntry entry, String cause) {
        refusals++;
        if (told) {
            return;
        }
        told = true;
        String message = entry + " of " + owner + " are registered and not pinned: " + cause + ". Limit "
                + text(systemLimit)
                + " (RLIMIT_MEMLOCK), budget of the table " + text(options.pinnedBytesMax()) + ", pinned by this table "
                + text(bytes) + ", by all tables of the process " + text(PROCESS.get())
                + ". Everything works, but the system may swap the pages out. Raise the limit (ulimit -l, LimitMEMLOCK of systemd) or the budget"
                + " (RegistrationOptions.withPinnedBytesMax); 0 turns pinning and this message off";
        PinRefusedEvent.record(owner, entry.start, entry.length(), bytes, limit(), cause);
        onRefused.accept(message);
    }

    private static String text(long number) {
        return number == PageLock.NO_LIMIT ? "unlimited" : number + " bytes";
    }

    /**
     * Unpins the pages of an entry.
     *
     * @param touching entries that share pages with it; may contain the entry itself
     */
    void unpin(BufferEntry entry, List<BufferEntry> touching) {
        if (!entry.pinned) {
            return;
        }
        entry.pinned = false;
        bytes -= entry.length();
        ranges--;
        PROCESS.addAndGet(-entry.length());
        refusedLength = Long.MAX_VALUE;
        system.unlock(entry.start, entry.length());
        for (int i = 0; i < touching.size(); i++) {
            BufferEntry other = touching.get(i);
            long from = Math.max(entry.start, other.start);
            long to = Math.min(entry.end, other.end);
            if (other.pinned && from < to && other.isAlive()) {
                int _ = system.lock(from, to - from);
            }
        }
    }
}
