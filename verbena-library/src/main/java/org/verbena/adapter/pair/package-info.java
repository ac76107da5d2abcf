/**
 * The parts of a queue pair that every transport shares. {@link org.verbena.adapter.pair.Pair} is the engine's side of a queue pair;
 * start there. It has the {@link org.verbena.adapter.pair.Lifecycle}, the queues, the completions, the work on local memory and the
 * rights. A {@link org.verbena.adapter.pair.PairCarrier} makes its {@link org.verbena.adapter.pair.Transport}. The engine's thread
 * calls everything.
 */
@NullMarked
package org.verbena.adapter.pair;

import org.jspecify.annotations.NullMarked;
