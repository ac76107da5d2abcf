/**
 * {@code ./verbena bench figures}: the promised figures of Verbena and those of installed peers, measured in turn in one run,
 * and the committed table.
 *
 * <p>Start with {@link org.verbena.bench.figures.Main}, then {@link org.verbena.bench.figures.FiguresPlan}, which lists
 * the measurements and their requirements. Every measurement is a process; one thread runs them one after another.
 */
@NullMarked
package org.verbena.bench.figures;

import org.jspecify.annotations.NullMarked;
