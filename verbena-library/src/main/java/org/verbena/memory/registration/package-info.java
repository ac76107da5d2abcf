/**
 * The registration table: native memory of consumers that is registered when a work request first names it. Not exported.
 *
 * <p>Start at {@link org.verbena.memory.registration.BufferTable}. A {@link org.verbena.memory.registration.BufferEntry} is one
 * registration, found by the pages of its address in a {@link org.verbena.memory.registration.PageTree}. An entry belongs to one scope of memory:
 * a look-up with another scope, or with one that has ended, never finds it. {@link org.verbena.memory.registration.Removal} has all the ways in which an
 * entry ends.
 *
 * <p>A hit takes no lock. All changes are made under the table's lock, by any thread.
 */
@NullMarked
package org.verbena.memory.registration;

import org.jspecify.annotations.NullMarked;
