/**
 * Fuzz tests: bytes of any kind into what a stranger can reach. {@link org.verbena.fuzz.WireFuzzTest} reads them as
 * packets and captures, {@link org.verbena.fuzz.EngineFuzzTest} as what a hostile peer sends to a live engine, {@link
 * org.verbena.fuzz.RingFuzzTest} as what a hostile consumer writes into its rings.
 *
 * <p>A normal run replays the inputs in {@code src/test/resources}; {@code docs/internals/fuzzing.md} says how to look
 * for new ones. One thread does everything, in virtual time: an input always does the same.
 */
@NullMarked
package org.verbena.fuzz;

import org.jspecify.annotations.NullMarked;
