/**
 * The other half of {@code peer/src/vx.c}: its client and its server, with our verbs. {@link
 * org.verbena.interop.exercise.ExerciseEnd} has the parts of both; {@link org.verbena.interop.exercise.ExerciseClient} and
 * {@link org.verbena.interop.exercise.ExerciseServer} have a method for each scenario.
 */
@NullMarked
package org.verbena.interop.exercise;

import org.jspecify.annotations.NullMarked;
