/**
 * The places of pages that are not in machine memory. Start at {@link org.verbena.memory.store.PageStore}: it has slots of one page
 * each, which transfers read and write. A transfer ends after its submission, on a thread of the store, or at once.
 *
 * <p>Threads: any thread may call a store. A {@link org.verbena.memory.store.FilePageStore} opens one file and starts the threads that
 * read and write it. A {@link org.verbena.memory.store.SimulatedPageStore} has neither file nor threads. No other class of this package
 * opens files or starts threads.
 */
@NullMarked
package org.verbena.memory.store;

import org.jspecify.annotations.NullMarked;
