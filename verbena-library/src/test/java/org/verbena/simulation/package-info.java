/**
 * The simulator: adapters in virtual time over lossy links, everything from one seed. {@link
 * org.verbena.simulation.World} has the adapters and moves the clock; a {@link org.verbena.simulation.Workload} decides
 * what is posted; each {@link org.verbena.simulation.Checker} watches for one kind of fault and knows nothing of the
 * others. {@link org.verbena.simulation.Simulation} puts one run together; start there. One thread does everything.
 *
 * <p>A failing run prints the line that repeats it: the scenario's name and the seed are all there is to know.
 */
@NullMarked
package org.verbena.simulation;

import org.jspecify.annotations.NullMarked;
