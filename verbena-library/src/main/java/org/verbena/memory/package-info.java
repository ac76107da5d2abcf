/**
 * Registered memory as a consumer sees it: keys, rights, regions, windows, managed memory, verdicts.
 *
 * <p>An adapter makes {@link org.verbena.memory.ProtectionDomain}s, {@link org.verbena.memory.Region}s and
 * {@link org.verbena.memory.Window}s. {@link org.verbena.memory.ManagedMemory} comes from
 * {@link org.verbena.memory.hypervisor.Hypervisor} or {@link org.verbena.memory.hypervisor.MachineMemory}. This
 * package has interfaces and values only. The implementations are in rooms that are not exported; each knows
 * those below it:
 *
 * <pre>
 * hypervisor             exported: hypervisor, host and guests, machine memory
 * swapping     faults    memory that is not always in frames; page faults of engines
 * protection   machine   the protection table and its checks; frames and wired memory
 * translation            where the bytes of a memory are; copies
 * memory       paging    this package; page words and the pager
 * store                  exported: where pages are that are not in machine memory
 * </pre>
 *
 * <p>Threads: any thread may call everything here. Calls that close a region or a window wait for the copies that are under way,
 * at most one packet each. Calls that need pages ({@link org.verbena.memory.ManagedMemory#write}, {@code read}, {@code pin})
 * wait for the page store or for the driver of a guest, up to a limit. No other call waits.
 */
@NullMarked
package org.verbena.memory;

import org.jspecify.annotations.NullMarked;
