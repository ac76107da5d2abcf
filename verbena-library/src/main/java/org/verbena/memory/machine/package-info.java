/**
 * Machine memory: one mapping of real memory cut in frames, the frames that are free, and memory that stays in its frames. Not
 * exported; consumers see {@link org.verbena.memory.hypervisor.MachineMemory}.
 *
 * <p>Start at {@link org.verbena.memory.machine.MachineFrames}.
 */
@NullMarked
package org.verbena.memory.machine;

import org.jspecify.annotations.NullMarked;
