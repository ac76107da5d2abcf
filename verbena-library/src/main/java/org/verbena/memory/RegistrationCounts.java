package org.verbena.memory;

/**
 * What a {@link RegistrationTable} has done so far, and what it has now. Immutable.
 *
 * @param hits buffers that were found
 * @param misses buffers that were registered, or refused
 * @param merges entries that a larger entry has taken in, or one with more rights
 * @param evictions entries removed because they were idle, their owner had ended, or a budget was used up
 * @param stale entries removed because the arena of their memory was closed
 * @param failures registrations that failed, those included that a remembered failure has refused
 * @param entries entries now
 * @param bytes bytes of these entries
 * @param pinnedBytes bytes of them that are locked in memory
 * @param pinnedLimit bytes that may be locked: the smaller one of the budget and the limit of the operating system
 * @param pinRefusals registrations that were not pinned although the options ask for it
 */
public record RegistrationCounts(
        long hits,
        long misses,
        long merges,
        long evictions,
        long stale,
        long failures,
        int entries,
        long bytes,
        long pinnedBytes,
        long pinnedLimit,
        long pinRefusals) {}
