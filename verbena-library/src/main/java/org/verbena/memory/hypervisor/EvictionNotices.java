package org.verbena.memory.hypervisor;

/**
 * Counts of the evictions of a guest's physical pages that its driver asked to be told of.
 *
 * @param told pages that the driver was told of; a page counts each time
 * @param merged evictions that were not told on their own: the page had been evicted before, and the driver had not been told yet
 */
public record EvictionNotices(long told, long merged) {}
