/**
 * {@code ./verbena bench memory}: the cost and gain of memory that is not pinned, and the committed tables.
 *
 * <p>Start with {@link org.verbena.bench.memory.MemoryFiguresPlan}: its experiments are programs of this jar, each run in another virtual
 * machine, that print numbers; its rows give the limits of the numbers. Numbers that are compared come from one experiment in
 * one run and take turns.
 */
@NullMarked
package org.verbena.bench.memory;

import org.jspecify.annotations.NullMarked;
