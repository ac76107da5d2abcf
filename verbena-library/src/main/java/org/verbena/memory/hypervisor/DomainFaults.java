package org.verbena.memory.hypervisor;

/**
 * Page faults of one domain.
 *
 * @param stageOne faults in its own memory: requests to its own driver
 * @param stageTwo faults in a guest's physical memory: requests to the host's driver; always 0 for the host, whose memory has
 *     no second stage
 */
public record DomainFaults(long stageOne, long stageTwo) {}
