/**
 * Where pages are that are not in machine memory. Start at {@link org.verbena.memory.store.PageStore}: slots of one page
 * each, read and written by transfers that end later, on a thread of the store's.
 *
 * <p>A store opens files and starts threads; nothing else of memory does.
 */
@NullMarked
package org.verbena.memory.store;

import org.jspecify.annotations.NullMarked;
