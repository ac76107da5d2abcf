/**
 * The other half of {@code peer/src/vx.c}: what its client and its server do, done with our verbs. {@link
 * org.verbena.interop.exercise.ExerciseEnd} is what both have; {@link org.verbena.interop.exercise.ExerciseClient} and
 * {@link org.verbena.interop.exercise.ExerciseServer} have a method for each scenario.
 */
@NullMarked
package org.verbena.interop.exercise;

import org.jspecify.annotations.NullMarked;
