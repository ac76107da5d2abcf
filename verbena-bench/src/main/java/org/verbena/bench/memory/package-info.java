/**
 * {@code ./verbena bench memory}: what memory that is not pinned costs and gains, and the tables that are committed.
 *
 * <p>Start with {@link org.verbena.bench.memory.MemoryFiguresPlan}: its experiments are programs of this jar, each run in a virtual machine
 * of its own, that print numbers; its rows say what the numbers must reach. What is compared is measured by one experiment in
 * one run, taking turns.
 */
@NullMarked
package org.verbena.bench.memory;

import org.jspecify.annotations.NullMarked;
