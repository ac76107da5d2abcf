/**
 * What a consumer and an engine share: rings in off-heap memory, their byte layouts, and the words that stand in them.
 *
 * <p>Start with {@link org.verbena.queue.Ring}, then {@link org.verbena.queue.SendSlot}, {@link
 * org.verbena.queue.ReceiveSlot} and {@link org.verbena.queue.CompletionSlot} for the layouts, and {@link
 * org.verbena.queue.Doorbell} for how an engine learns that there is work. All state is in the memory, none in the Java
 * objects, so that either side may be another process. One thread produces, one consumes; neither waits for the other.
 */
@NullMarked
package org.verbena.queue;

import org.jspecify.annotations.NullMarked;
