/**
 * Links in virtual time, for simulations and tests that repeat exactly.
 *
 * <p>Start at {@link org.verbena.link.simulated.SimulatedNetwork}.
 *
 * <p>Thread: one thread drives the network and all its links.
 */
@NullMarked
package org.verbena.link.simulated;

import org.jspecify.annotations.NullMarked;
