/**
 * Registered memory: who may touch which bytes, and where these bytes are.
 *
 * <p>Start at {@link org.verbena.memory.ProtectionTable}. A key names an entry of it, a {@link org.verbena.memory.Region}
 * or a {@link org.verbena.memory.Window}; an {@link org.verbena.memory.Accessor} says who asks; a
 * {@link org.verbena.memory.Verdict} is the answer, and a refused access touches nothing. Behind an entry is a
 * translation table whose page pointers are machine addresses: of foreign memory (any native segment of the
 * consumer's) or of frames of {@link org.verbena.memory.MachineMemory}.
 *
 * <p>Threads: {@code judge}, {@code place}, {@code gather} and the atomics are called by engine threads, any number of
 * them; they take no lock, allocate nothing and throw for no key, address or length. Everything that creates or closes
 * may be called by any thread and may wait for copies that are under way, never for anything else.
 *
 * <p>Rule of all that changes here: invalidate, wait until nobody is inside, then change.
 */
@NullMarked
package org.verbena.memory;

import org.jspecify.annotations.NullMarked;
