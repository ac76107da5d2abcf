package org.verbena.memory.hypervisor;

/**
 * Pages of one domain that were wanted and had to be asked for.
 *
 * @param stageOne of its own memory: asked of its own driver
 * @param stageTwo of a guest's physical memory: asked of the host's driver; always 0 for the host, whose memory has no second
 *     stage
 */
public record DomainFaults(long stageOne, long stageTwo) {}
