/**
 * The protection table: the regions and windows of one adapter by key, and the checks of every access. Not exported.
 *
 * <p>Start at {@link org.verbena.memory.protection.ProtectionTable}. A key names an entry; an
 * {@link org.verbena.memory.protection.Accessor} names the queue pair and the right that an access needs; a
 * {@link org.verbena.Verdict} is the answer. A refused access touches nothing.
 *
 * <p>Rule for every change of an entry: invalidate it, wait until no copy is inside, then change it.
 */
@NullMarked
package org.verbena.memory.protection;

import org.jspecify.annotations.NullMarked;
