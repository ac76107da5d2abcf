/**
 * Page faults of engines: the pages that an access misses are brought in and kept until the access has been made. Not exported.
 *
 * <p>Start at {@link org.verbena.memory.faults.Fault}. {@link org.verbena.memory.faults.PageHold} keeps pages for the
 * answer to a read.
 */
@NullMarked
package org.verbena.memory.faults;

import org.jspecify.annotations.NullMarked;
