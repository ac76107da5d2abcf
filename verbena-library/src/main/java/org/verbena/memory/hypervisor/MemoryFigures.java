package org.verbena.memory.hypervisor;

import java.util.Map;
import org.verbena.memory.ManagedMemory;
import org.verbena.trace.PagingCounter;

/**
 * How machine memory is used, at one moment.
 *
 * @param frames frames there are, wired ones included
 * @param framesOut frames taken out of use by {@link Hypervisor#resize}
 * @param framesWired frames of memory whose pages stay where they are
 * @param framesFree frames that can be had without an eviction
 * @param pins pages pinned by consumers
 * @param leases pages kept for packets that will come again
 * @param landings pages kept for answers to reads
 * @param transfers transfers to and from the page store under way
 * @param policy how frames are chosen to lose their pages
 * @param metadataBytes bytes kept about frames, those out of use included; about pages see
 *     {@link ManagedMemory#metadataBytes}
 * @param counters what was counted so far
 */
public record MemoryFigures(
        int frames,
        int framesOut,
        int framesWired,
        int framesFree,
        int pins,
        int leases,
        int landings,
        int transfers,
        String policy,
        long metadataBytes,
        Map<PagingCounter, Long> counters) {}
