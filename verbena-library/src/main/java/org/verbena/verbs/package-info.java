/**
 * The interface of a consumer: open an {@link org.verbena.verbs.Adapter}, register memory, create a {@link
 * org.verbena.verbs.CompletionQueue} and a {@link org.verbena.verbs.QueuePair}, connect it, post {@link
 * org.verbena.verbs.WorkRequest}s, poll {@link org.verbena.verbs.Completion}s.
 *
 * <p>An object that holds something is closed by {@code try}-with-resources, in the reverse order of creation. Misuse (a
 * wrong state, another adapter's object, a closed object) is an unchecked exception at the call; the outcome of a work
 * request is only ever the status of its completion. One thread at a time posts to a queue or polls a queue; different
 * queues may be used by different threads at once. Posting and polling do not allocate, lock or call the system.
 *
 * <p>Posting and polling use rings in memory and nothing else of an engine. Every other call goes through a control
 * ({@code QueuePairControl} and its like): the classes {@code Local…} have the engine in this process, and
 * a control plane to an engine in another process can take their place.
 */
@NullMarked
package org.verbena.verbs;

import org.jspecify.annotations.NullMarked;
