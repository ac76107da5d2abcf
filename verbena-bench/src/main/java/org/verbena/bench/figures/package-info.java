/**
 * {@code ./verbena bench figures}: the figures the project promises, ours and those of peers where they are installed,
 * measured in turn in one run, and the table that is committed.
 *
 * <p>Start with {@link org.verbena.bench.figures.Main}, then {@link org.verbena.bench.figures.FiguresPlan}, which says what is
 * measured and what it must reach. Every measurement is a process of its own; one thread runs them one after another.
 */
@NullMarked
package org.verbena.bench.figures;

import org.jspecify.annotations.NullMarked;
