package org.verbena.memory;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Budgets and times of a {@link RegistrationTable}. Immutable; the {@code with} methods give changed copies.
 *
 * @param entriesMax entries; one more evicts an entry that is not in use
 * @param bytesMax bytes of all entries; more evict entries that are not in use. An entry keeps an automatic arena, and a direct buffer, from being freed, so
 *     this is also a bound on memory that is lost that way
 * @param pinned whether pages are locked in memory, where the operating system allows it
 * @param pinnedBytesMax bytes that are locked at most; entries beyond it are not pinned
 * @param idleLimit time without a use after which an entry is removed
 * @param ownerLimit the same, for an entry whose thread has ended
 * @param failureMemory time for which a failure is remembered: the same thing is not tried again in it
 * @param closeLimit time that an arena of the adapter waits at {@link java.lang.foreign.Arena#close} for work requests that use its memory
 */
public record RegistrationOptions(
        int entriesMax,
        long bytesMax,
        boolean pinned,
        long pinnedBytesMax,
        Duration idleLimit,
        Duration ownerLimit,
        Duration failureMemory,
        Duration closeLimit) {
    /** Bytes of all entries unless told otherwise: half of what direct buffers may have by default, since entries may keep them from being freed. */
    private static final long BYTES_MAX =
            Math.max(64L << 20, Runtime.getRuntime().maxMemory() / 2);

    /**
     * 65,536 entries of together half the maximum heap size of the JVM, of which 256 MiB are pinned; idle for a minute, 5 s after the end of its thread; failures are
     * remembered for a second; arenas wait two seconds.
     */
    public static final RegistrationOptions DEFAULT = new RegistrationOptions(
            1 << 16,
            BYTES_MAX,
            true,
            256L << 20,
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2));

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a budget of entries or bytes is not positive, or another number is negative
     */
    public RegistrationOptions {
        require(entriesMax > 0, "entriesMax must be positive; found " + entriesMax);
        require(bytesMax > 0, "bytesMax must be positive; found " + bytesMax);
        require(pinnedBytesMax >= 0, "pinnedBytesMax must not be negative; found " + pinnedBytesMax);
        require(!idleLimit.isNegative(), "idleLimit must not be negative; found " + idleLimit);
        require(!ownerLimit.isNegative(), "ownerLimit must not be negative; found " + ownerLimit);
        require(!failureMemory.isNegative(), "failureMemory must not be negative; found " + failureMemory);
        require(!closeLimit.isNegative(), "closeLimit must not be negative; found " + closeLimit);
    }

    private static void require(boolean right, String message) {
        if (!right) {
            throw new IllegalArgumentException(message);
        }
    }

    /** A copy with these budgets of entries and of their bytes. */
    public RegistrationOptions withBudget(int entries, long bytes) {
        return with(draft -> {
            draft.entriesMax = entries;
            draft.bytesMax = bytes;
        });
    }

    /** A copy that pins at most these bytes; 0 pins nothing. */
    public RegistrationOptions withPinnedBytesMax(long bytes) {
        return with(draft -> {
            draft.pinned = bytes > 0;
            draft.pinnedBytesMax = bytes;
        });
    }

    /** A copy that removes entries after this time without a use, and after {@code ownerEnded} if the thread of the entry has ended. */
    public RegistrationOptions withIdleLimit(Duration limit, Duration ownerEnded) {
        return with(draft -> {
            draft.idleLimit = limit;
            draft.ownerLimit = ownerEnded;
        });
    }

    /** A copy that remembers failures for this time. */
    public RegistrationOptions withFailureMemory(Duration time) {
        return with(draft -> draft.failureMemory = time);
    }

    /** A copy whose arenas wait this time at close. */
    public RegistrationOptions withCloseLimit(Duration limit) {
        return with(draft -> draft.closeLimit = limit);
    }

    private RegistrationOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** A copy being changed. */
    private static final class Draft {
        private int entriesMax;
        private long bytesMax;
        private boolean pinned;
        private long pinnedBytesMax;
        private Duration idleLimit;
        private Duration ownerLimit;
        private Duration failureMemory;
        private Duration closeLimit;

        private Draft(RegistrationOptions from) {
            entriesMax = from.entriesMax;
            bytesMax = from.bytesMax;
            pinned = from.pinned;
            pinnedBytesMax = from.pinnedBytesMax;
            idleLimit = from.idleLimit;
            ownerLimit = from.ownerLimit;
            failureMemory = from.failureMemory;
            closeLimit = from.closeLimit;
        }

        private RegistrationOptions finish() {
            return new RegistrationOptions(
                    entriesMax, bytesMax, pinned, pinnedBytesMax, idleLimit, ownerLimit, failureMemory, closeLimit);
        }
    }
}
