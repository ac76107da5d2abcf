/**
 * The hypervisor, its domains and machine memory, as consumers see them.
 *
 * <p>Start at {@link org.verbena.memory.hypervisor.Hypervisor}. It owns machine memory and a page store, and allocates
 * {@link org.verbena.memory.ManagedMemory} through the host {@link org.verbena.memory.hypervisor.Domain} and through
 * guests. A guest may have a {@link org.verbena.memory.hypervisor.GuestDriver} of its own.
 *
 * <p>Threads: any thread may call everything. A guest's own driver is called on the executor of its
 * {@link org.verbena.memory.hypervisor.GuestOptions}, by default on a virtual thread that this package starts; so is a
 * {@link org.verbena.memory.hypervisor.FaultListener}.
 */
@NullMarked
package org.verbena.memory.hypervisor;

import org.jspecify.annotations.NullMarked;
