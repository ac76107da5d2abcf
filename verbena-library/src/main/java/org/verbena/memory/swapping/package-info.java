/**
 * Managed memory that is not always in machine memory: pages that come and go one by one, and regions that are swapped out as a
 * whole. Not exported; consumers see {@link org.verbena.memory.hypervisor.Hypervisor}.
 *
 * <p>Start at {@link org.verbena.memory.swapping.PagedMemory}. {@link org.verbena.memory.swapping.HostPaging} is shared by
 * all domains of a hypervisor, {@link org.verbena.memory.swapping.DomainPaging} belongs to one domain.
 * {@link org.verbena.memory.swapping.RegionSwap} is the state machine that swaps one region out and in,
 * {@link org.verbena.memory.swapping.Relief} decides which region leaves under memory pressure.
 *
 * <p>Threads: any. Steps that wait for copies, and calls of a consumer's actions, run as
 * {@link org.verbena.memory.swapping.Errands}.
 */
@NullMarked
package org.verbena.memory.swapping;

import org.jspecify.annotations.NullMarked;
