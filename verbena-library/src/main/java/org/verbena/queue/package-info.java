/**
 * The memory that a consumer and an engine share: rings and a doorbell, their byte layouts, and the numbers that stand in
 * them.
 *
 * <p>Start with {@link org.verbena.queue.Ring}, then {@link org.verbena.queue.SendSlot}, {@link
 * org.verbena.queue.ReceiveSlot} and {@link org.verbena.queue.CompletionSlot} for the layouts, and {@link
 * org.verbena.queue.Doorbell} for how an engine learns that there is work. All that both sides need is in the memory, so that
 * either side may be another process; the fields of the Java objects belong to one side each and are marked so. A side
 * attaches to memory that the other side has made, and checks its header. One thread produces, one consumes; neither waits
 * for the other. An engine takes no word of the memory for granted: nothing in it makes the engine throw, leave the bounds
 * or loop.
 */
@NullMarked
package org.verbena.queue;

import org.jspecify.annotations.NullMarked;
