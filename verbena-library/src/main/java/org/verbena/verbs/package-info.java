/**
 * What a consumer says: open an {@link org.verbena.verbs.Adapter}, register memory, create a {@link
 * org.verbena.verbs.CompletionQueue} and a {@link org.verbena.verbs.QueuePair}, connect it, post {@link
 * org.verbena.verbs.WorkRequest}s, poll {@link org.verbena.verbs.Completion}s.
 *
 * <p>Everything that holds something is closed by {@code try}-with-resources, in the reverse order of creation. Misuse (a
 * wrong state, another adapter's object, something closed) is an unchecked exception at the call; the outcome of a work
 * request is only ever its completion's status. Posting to one queue and polling one queue is for one thread at a time;
 * different queues may be used by different threads at once. Neither allocates, locks or calls the system.
 */
@NullMarked
package org.verbena.verbs;

import org.jspecify.annotations.NullMarked;
