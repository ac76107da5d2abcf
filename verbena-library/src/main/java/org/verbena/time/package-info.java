/**
 * The only source of time and of chance: clocks, the timer wheel, seeds. Imports nothing but the JDK.
 *
 * <p>Start at {@link org.verbena.time.NanoClock}: the runner of an engine reads it once a turn and passes the time down.
 * {@link org.verbena.time.TimerWheel} keeps an engine's timers and belongs to the thread that drives the engine;
 * {@link org.verbena.time.Seed} repeats every draw from one number; only its owner draws from it.
 */
@NullMarked
package org.verbena.time;

import org.jspecify.annotations.NullMarked;
