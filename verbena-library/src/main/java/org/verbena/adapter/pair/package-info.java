/**
 * Parts of a queue pair that every transport shares: its {@link org.verbena.adapter.pair.Lifecycle}, its queues, its
 * completions, its work on local memory and its waits for pages. {@link org.verbena.adapter.pair.QueuePairTransport} is how a
 * consumer controls it. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.pair;

import org.jspecify.annotations.NullMarked;
