/**
 * Where the bytes of a memory are, and copies into and out of it. Not exported.
 *
 * <p>Start at {@link org.verbena.memory.translation.Backing}: the bytes behind an entry of a protection table.
 * {@link org.verbena.memory.translation.FrameMemory} is the common part of all managed memory;
 * {@link org.verbena.memory.translation.PagedAccess} reaches pages that come and go.
 *
 * <p>Threads: copies come from engine threads and consumers, any number of them; they take no lock and allocate nothing.
 */
@NullMarked
package org.verbena.memory.translation;

import org.jspecify.annotations.NullMarked;
